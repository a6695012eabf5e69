import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJsonObject } from "../contract/json.ts";
import { userCode } from "../util/user-code.ts";
import { dropSession, keepSession, readSession } from "./credentials-file.ts";
import { UsageError } from "./explain-error.ts";
import { type CommandHelp, readArguments } from "./flags.ts";

/** The help of `portico login`. */
const LOGIN = {
  usage: ["portico login [URL] [flags]"],
  about:
    "Signs in to a gateway (PORTICO_URL; http://127.0.0.1:4000) in the browser, and keeps the session in a file that its owner alone may read.",
  flags: {
    "no-browser": { doc: "print the address to open, and open nothing" },
    json: { doc: "print JSON; the key is in it with --print alone" },
    print: { doc: "print the key of the session that is kept, for programs such as apiKeyHelper" },
  },
} as const satisfies CommandHelp;

/** The help of `portico logout`. */
const LOGOUT = {
  usage: ["portico logout [URL]"],
  about: "Ends the session of `portico login`: its key is refused from then on.",
  flags: { json: { doc: "print JSON" } },
} as const satisfies CommandHelp;

/** Milliseconds that somebody has for signing in. */
const PATIENCE = 600_000;

/** `portico login`. Resolves with the exit code. */
export async function loginCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, LOGIN);
  if (read === undefined) return 0;
  const url = gatewayAddress(read.positionals);
  const asJson = read.values.json === true;
  if (read.values.print === true) return printKey(url, asJson);
  await requireSignIn(url);
  const verifier = random();
  const state = random();
  const waiting = await waitForCode(state);
  try {
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const query = new URLSearchParams({
      cli_port: String(waiting.port),
      cli_challenge: challenge,
      cli_state: state,
    });
    const address = `${url}/sso/key/generate?${query.toString()}`;
    (asJson ? process.stderr : process.stdout).write(
      `Sign in here: ${address}\nGo on there only if the page shows the code ${userCode(challenge)}\n`,
    );
    if (read.values["no-browser"] !== true) openBrowser(address);
    const body = JSON.stringify({ code: await waiting.code, code_verifier: verifier });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/sso/cli/token`, { method: "POST", headers, body, redirect: "error" });
    const { key, user_id, expires } = parseJsonObject(await answer.text()) ?? {};
    if (!answer.ok || typeof key !== "string")
      throw new UsageError(`the gateway at ${url} did not give a session (status ${answer.status})`);
    const file = keepSession({ url, key, expires: String(expires) }, process.env);
    process.stdout.write(
      asJson
        ? `${JSON.stringify({ url, user_id, expires, file })}\n`
        : `Signed in as ${String(user_id)} until ${String(expires)}; kept in ${file}\n`,
    );
    return 0;
  } finally {
    waiting.server.close();
    waiting.server.closeAllConnections();
  }
}

/** `portico logout`. Resolves with the exit code. */
export async function logoutCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, LOGOUT);
  if (read === undefined) return 0;
  const url = gatewayAddress(read.positionals);
  const session = readSession(url, process.env);
  if (session === undefined) throw new UsageError(`nobody is signed in at ${url}`);
  const headers = { authorization: `Bearer ${session.key}` };
  const answer = await fetch(`${url}/sso/logout`, { method: "POST", headers, redirect: "error" });
  await answer.body?.cancel();
  // A session that is not there any more has ended too.
  if (!answer.ok && answer.status !== 401)
    throw new UsageError(`the gateway at ${url} did not end the session (status ${answer.status})`);
  dropSession(url, process.env);
  process.stdout.write(
    read.values.json === true ? `${JSON.stringify({ url, signed_out: true })}\n` : `Signed out at ${url}\n`,
  );
  return 0;
}

/** @throws UsageError where nobody could sign in, before somebody opens a page that is not there */
async function requireSignIn(url: string): Promise<void> {
  const answer = await fetch(`${url}/sso/session`, { redirect: "manual" }).catch(() => {
    throw new UsageError(`there is no gateway at ${url}`);
  });
  await answer.body?.cancel();
  if (answer.status === 404)
    throw new UsageError(
      `the gateway at ${url} offers no sign-in: its configuration needs general_settings.sso, and a store`,
    );
}

function printKey(url: string, asJson: boolean): number {
  const session = readSession(url, process.env);
  if (session === undefined || Date.parse(session.expires) <= Date.now())
    throw new UsageError(`nobody is signed in at ${url}; run portico login ${url}`);
  process.stdout.write(asJson ? `${JSON.stringify(session)}\n` : `${session.key}\n`);
  return 0;
}

function gatewayAddress(positionals: readonly string[]): string {
  const [given = process.env.PORTICO_URL || "http://127.0.0.1:4000", ...more] = positionals;
  const url = URL.parse(given);
  if (more.length > 0 || url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError("expected the address of one gateway, such as https://ai.example.com");
  return url.href.replace(/\/+$/, "");
}

/** Waits on a port of this machine alone for the browser to bring the code (RFC 8252, section 7.3). */
async function waitForCode(state: string): Promise<{ server: Server; port: number; code: Promise<string> }> {
  let found!: (code: string) => void;
  let failed!: (error: Error) => void;
  const code = new Promise<string>((resolve, reject) => {
    found = resolve;
    failed = reject;
  });
  code.catch(() => {});
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const brought = searchParams.get("code");
    const isOurs = pathname === "/callback" && brought !== null && searchParams.get("state") === state;
    response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain", connection: "close" });
    response.end(isOurs ? "Signed in. This page can be closed.\n" : "Nothing waits for this.\n");
    if (isOurs) found(brought);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const timer = setTimeout(() => failed(new UsageError("nobody signed in within ten minutes")), PATIENCE);
  void code.finally(() => clearTimeout(timer)).catch(() => {});
  return { server, port: (server.address() as AddressInfo).port, code };
}

/** Without a browser the address that was printed is opened elsewhere. */
function openBrowser(address: string): void {
  const commands: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  const [command, ...args] = commands[process.platform] ?? ["xdg-open"];
  const child = spawn(command!, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function random(): string {
  return randomBytes(32).toString("base64url");
}
