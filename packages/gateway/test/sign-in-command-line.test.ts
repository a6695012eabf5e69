import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MASTER_KEY, porticoProgram, startTestGateway } from "./support/gateway.ts";
import { Browser, CLIENT_SECRET, startIdentityProvider } from "./support/identity-provider.ts";
import { until } from "./support/until.ts";

it("says that a gateway offers no sign-in before it names a page that is not there", async () => {
  const gateway = await startTestGateway();
  const env = { PATH: process.env.PATH };
  try {
    const args = [...(await porticoProgram()), "login", gateway.url, "--no-browser"];
    const child = spawn(process.execPath, args, { env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(2);
    expect(output).toContain("offers no sign-in: its configuration needs general_settings.sso");
    expect(output).not.toContain("Sign in here");
  } finally {
    await gateway.close();
  }
});

it("works from the command line, whose session stands in a file of its owner", async () => {
  const provider = await startIdentityProvider();
  const sso = { issuer: provider.url, client_id: "portico", client_secret: CLIENT_SECRET };
  const general = { master_key: MASTER_KEY, sso: { ...sso, scope: "openid email" } };
  const gateway = await startTestGateway({
    config: `model_list: []\ngeneral_settings: ${JSON.stringify(general)}\n`,
  });
  await provider.serve(gateway.url);
  const home = mkdtempSync(join(tmpdir(), "portico-login-"));
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: home };
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [...(await porticoProgram()), ...args], { env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
    const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { output: () => output, exited };
  };
  try {
    const login = await run("login", gateway.url, "--no-browser");
    const address = await until(() => /Sign in here: (\S+)/.exec(login.output())?.[1]);
    const browser = new Browser();
    // The page that asks shows the code that the command line shows.
    const asked = await browser.signIn(address!, "cli-user", /\/sso\/callback/);
    const code8 = /shows the code ([A-Z]{4}-[A-Z]{4})/.exec(login.output())?.[1];
    expect(await (await browser.get(asked.url)).text()).toContain(code8!);
    const brought = await browser.signIn(address!, "cli-user", /127\.0\.0\.1:\d+\/callback/);
    // The code is for whoever began: without the verifier it is worth nothing.
    const code = new URL(brought.url).searchParams.get("code");
    const stolen = { code, code_verifier: "x".repeat(43) };
    expect((await gateway.call("/sso/cli/token", { body: stolen })).status).toBe(401);
    const wrong = new URL(brought.url);
    wrong.searchParams.set("state", "wrong");
    expect((await fetch(wrong)).status).toBe(404);
    expect((await fetch(brought.url)).status).toBe(200);
    expect([await login.exited, login.output()]).toEqual([
      0,
      expect.stringContaining("Signed in as cli-user"),
    ]);
    const file = join(home, "portico", "sessions.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const print = await run("login", gateway.url, "--print");
    expect(await print.exited).toBe(0);
    const key = print.output().trim();
    expect(readFileSync(file, "utf8")).toContain(key);
    expect(login.output()).not.toContain(key);
    const shown = await gateway.call("/sso/session", { key });
    expect(await shown.json()).toMatchObject({ user_id: "cli-user" });
    const printed = await run("login", gateway.url, "--print", "--json");
    expect(await printed.exited).toBe(0);
    expect(JSON.parse(printed.output())).toMatchObject({ url: gateway.url, key });
    const logout = await run("logout", gateway.url, "--json");
    expect(await logout.exited).toBe(0);
    expect(JSON.parse(logout.output())).toEqual({ url: gateway.url, signed_out: true });
    expect((await gateway.call("/sso/session", { key })).status).toBe(401);
  } finally {
    rmSync(home, { recursive: true, force: true });
    await Promise.all([gateway.close(), provider.close()]);
  }
});
