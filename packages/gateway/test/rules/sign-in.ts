import { createHash } from "node:crypto";
import type { TestGateway } from "../support/gateway.ts";
import type { TokenIssuer } from "../support/token-issuer.ts";

/** What the command line of these tests proves itself with (RFC 7636). */
export const VERIFIER = "of-the-command-line-".repeat(3);

const STEPS = ["signIn", "consent", "commandLine", "session"] as const;
/** What somebody who signs in has at a step. */
type Step = (typeof STEPS)[number];
type Made = Readonly<Partial<Record<Step | "cookie", string>>>;

export function isStep(kind: string): kind is Step {
  return (STEPS as readonly string[]).includes(kind);
}

/** Signs somebody in until the step is what comes next; what that needs. */
export async function signInUntil(gateway: TestGateway, issuer: TokenIssuer, step: Step): Promise<Made> {
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  const asked = `cli_port=12345&cli_challenge=${challenge}&cli_state=${"s".repeat(16)}`;
  const isCommandLines = step === "consent" || step === "commandLine";
  const begun = await get(gateway, `/sso/key/generate${isCommandLines ? `?${asked}` : ""}`);
  const { searchParams } = new URL(begun.headers.get("location")!);
  const code = issuer.codeFor({ sub: "signed-in", nonce: searchParams.get("nonce")! });
  const back = new URLSearchParams({ code, state: searchParams.get("state")! }).toString();
  if (step === "signIn") return { signIn: back, cookie: cookieIn(begun) };
  const finished = await get(gateway, `/sso/callback?${back}`, { headers: { cookie: cookieIn(begun) } });
  const cookie = cookieIn(finished);
  if (step === "session") return { session: cookie.slice(cookie.indexOf("=") + 1) };
  const ticket = /name="ticket" value="([^"]+)"/.exec(await finished.text())![1]!;
  if (step === "consent") return { consent: ticket, cookie };
  const body = new URLSearchParams({ ticket, answer: "approve" });
  const confirmed = await get(gateway, "/sso/cli/confirm", { method: "POST", headers: { cookie }, body });
  return { commandLine: new URL(confirmed.headers.get("location")!).searchParams.get("code")! };
}

async function get(gateway: TestGateway, path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(gateway.url + path, { ...init, redirect: "manual" });
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** The cookie that an answer sets, as a browser sends it back. */
function cookieIn(answer: Response): string {
  return answer.headers.getSetCookie()[0]!.split(";")[0]!;
}
