import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** What IAM Identity Center was asked. */
let asked: { url: URL; headers: IncomingHttpHeaders; body: string }[] = [];

const identityCenter = createServer((request, response) => {
  void text(request).then((body) => {
    const url = new URL(request.url!, "http://aws");
    asked.push({ url, headers: request.headers, body });
    if (url.pathname === "/token")
      response.end(JSON.stringify({ accessToken: "renewed", expiresIn: 3600, refreshToken: "refresh-2" }));
    else if (request.headers["x-amz-sso_bearer_token"] === "withdrawn") response.writeHead(401).end("{}");
    else {
      const names = {
        accessKeyId: `ASIA-${url.searchParams.get("role_name")}`,
        secretAccessKey: "sso-secret",
      };
      const roleCredentials = { ...names, sessionToken: "sso-session", expiration: Date.now() + 60_000 };
      response.end(JSON.stringify({ roleCredentials }));
    }
  });
});

let simulator: Simulator;
let gateway: TestGateway;
let home: string;

beforeAll(async () => {
  await once(identityCenter.listen(0, "127.0.0.1"), "listening");
  simulator = await startSimulator({ port: 0 });
  home = mkdtempSync(join(tmpdir(), "portico-sso-"));
  mkdirSync(join(home, ".aws", "sso", "cache"), { recursive: true });
  const account = (role: string): string => `sso_account_id = 123456789012\nsso_role_name = ${role}\n`;
  writeFileSync(
    join(home, ".aws", "config"),
    `[sso-session corp]
sso_start_url = https://corp.awsapps.com/start
sso_region = eu-west-1
[profile dev]
sso_session = corp
${account("dev")}[profile old]
sso_start_url = https://old.awsapps.com/start
sso_region = us-east-1
${account("old")}[profile lost]
sso_session = nowhere
${account("lost")}`,
  );
  const entry = (profile: string): string =>
    `  - {model_name: ${profile}, litellm_params: {model: bedrock/amazon.nova-pro-v1:0, api_base: "${simulator.url}/bedrock", aws_region_name: eu-central-1, aws_profile_name: ${profile}}}\n`;
  gateway = await startTestGateway({
    config: `model_list:\n${["dev", "old", "lost"].map(entry).join("")}router_settings: {num_retries: 0, disable_cooldowns: true}\n`,
  });
});
beforeEach(() => {
  asked = [];
  const url = `http://127.0.0.1:${(identityCenter.address() as AddressInfo).port}`;
  vi.stubEnv("HOME", home);
  vi.stubEnv("AWS_CONFIG_FILE", undefined);
  vi.stubEnv("AWS_ENDPOINT_URL_SSO", url);
  vi.stubEnv("AWS_ENDPOINT_URL_SSO_OIDC", url);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await gateway.close();
  await simulator.close();
  identityCenter.closeAllConnections();
  identityCenter.close();
  rmSync(home, { recursive: true });
});

function cacheFile(name: string): string {
  return join(home, ".aws", "sso", "cache", `${createHash("sha1").update(name).digest("hex")}.json`);
}

/** What `aws sso login` leaves. @param seconds until the token's end */
function signIn(name: string, accessToken: string, seconds: number, more: object = {}): void {
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString();
  writeFileSync(cacheFile(name), JSON.stringify({ accessToken, expiresAt, ...more }));
}

async function ask(model: string): Promise<[number, string]> {
  const body = { model, messages: [{ role: "user", content: "hello" }] };
  const response = await gateway.call("/v1/chat/completions", { body });
  return [response.status, await response.text()];
}

describe("Credentials of a user who signed in at IAM Identity Center", () => {
  it("are those of the profile's account and role", async () => {
    signIn("corp", "signed-in", 3600);
    expect((await ask("dev"))[0]).toBe(200);
    const { headers } = simulator.received().at(-1)!;
    expect(headers.authorization).toContain("Credential=ASIA-dev/");
    expect(headers["x-amz-security-token"]).toBe("sso-session");
    expect(asked).toHaveLength(1);
    expect(asked[0]!.url.pathname).toBe("/federation/credentials");
    expect(asked[0]!.url.searchParams.get("account_id")).toBe("123456789012");
    expect(asked[0]!.headers["x-amz-sso_bearer_token"]).toBe("signed-in");
  });

  it("are found in profiles without a session too", async () => {
    signIn("https://old.awsapps.com/start", "signed-in-of-old", 3600);
    expect((await ask("old"))[0]).toBe(200);
    expect(asked[0]!.headers["x-amz-sso_bearer_token"]).toBe("signed-in-of-old");
  });

  it("outlive the token, which is renewed and kept where AWS's own programs find it", async () => {
    const client = { clientId: "c", clientSecret: "client-secret", refreshToken: "refresh-1" };
    signIn("corp", "about-to-end", 60, { ...client, region: "eu-west-1" });
    expect((await ask("dev"))[0]).toBe(200);
    expect(JSON.parse(asked[0]!.body)).toEqual({ ...client, grantType: "refresh_token" });
    expect(asked[1]!.headers["x-amz-sso_bearer_token"]).toBe("renewed");
    const kept = JSON.parse(readFileSync(cacheFile("corp"), "utf8"));
    expect(kept).toMatchObject({ accessToken: "renewed", refreshToken: "refresh-2", region: "eu-west-1" });
    expect(statSync(cacheFile("corp")).mode & 0o777).toBe(0o600);
  });

  it("that cannot be had say what to do, and show no token", async () => {
    signIn("corp", "ended", -60);
    expect(await ask("dev")).toEqual([500, expect.stringContaining("aws sso login --profile dev")]);
    signIn("corp", "withdrawn", 3600);
    expect(await ask("dev")).toEqual([500, expect.stringContaining("aws sso login --profile dev")]);
    rmSync(cacheFile("corp"));
    expect(await ask("dev")).toEqual([500, expect.stringContaining("aws sso login --profile dev")]);
    expect(await ask("lost")).toEqual([500, expect.stringContaining("does not say where to sign in")]);
    expect(gateway.log()).not.toMatch(/withdrawn|client-secret|refresh-1|sso-secret/);
  });
});
