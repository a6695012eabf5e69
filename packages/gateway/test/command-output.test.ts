import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileCache } from "../../../tools/bundles.ts";
import { porticoProgram, startTestGateway, type TestGateway } from "./support/gateway.ts";

const program = await porticoProgram();
const folder = mkdtempSync(join(tmpdir(), "portico-output-"));
const env = { PATH: process.env.PATH, ...compileCache(), PORTICO_DATA_DIR: join(folder, "data") };
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  writeFileSync(join(folder, "config.yaml"), "model_list: []\n");
  const messages = [{ role: "user", content: "hi" }];
  const body = { model: "claude-sonnet-4-5", max_tokens: 10, messages };
  const row = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body };
  writeFileSync(join(folder, "rows.jsonl"), JSON.stringify(row));
});
afterAll(async () => {
  await gateway?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs to the end. Not in one step: the gateway that is asked runs in this process. */
async function portico(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...program, ...args], { env, cwd: folder });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text) => (output[name] += String(text)));
  await new Promise((resolve) => child.once("close", resolve));
  return output;
}

/** Starts a server and ends it when it is there. Resolves with its standard output. */
async function served(
  command: string,
  args: readonly string[],
  end: (child: Child) => void,
): Promise<string> {
  const child = spawn(command, [...args], { env, cwd: folder });
  let text = "";
  let isThere = false;
  const listen = (piece: unknown): void => {
    if (isThere || !/http:\/\/127\.0\.0\.1:\d+/.test(String(piece))) return;
    isThere = true;
    end(child);
  };
  child.stderr.on("data", listen);
  child.stdout.on("data", (piece) => {
    text += String(piece);
    listen(piece);
  });
  await new Promise((resolve) => child.once("close", resolve));
  return text;
}

type Child = ReturnType<typeof spawn>;
const inBackground = (...args: readonly string[]): Promise<string> =>
  served(process.execPath, [...program, ...args], (child) => child.kill());

const running = (): string[] => ["--url", gateway.url, "--key", gateway.masterKey];

/** Each command with `--json`, and what a program reads then; or the test beside this one that does the same. */
const OUTPUTS: Readonly<Record<string, { elsewhere: string } | (() => Promise<string>)>> = {
  batch: async () => {
    const { stdout, stderr } = await portico("batch", "run", "rows.jsonl", "--json", ...running());
    return `${stdout}\n${stderr}`;
  },
  import: { elsewhere: "import-litellm.test.ts" },
  keys: async () => {
    let text = "";
    for (const words of [["create", "--alias", "one"], ["list"], ["delete", "one"]])
      text += (await portico("keys", ...words, "--json")).stdout;
    return text;
  },
  login: { elsewhere: "sign-in-command-line.test.ts" },
  logout: { elsewhere: "sign-in-command-line.test.ts" },
  serve: () => inBackground("serve", "--json", "--port", "0"),
  simulate: () => inBackground("simulate", "--json", "--port", "0"),
  top: async () => (await portico("top", "--once", "--json", ...running())).stdout,
  verify: async () => (await portico("verify", "config.yaml", "--json")).stdout,
};

const names = /; there are (.+?)\./.exec((await portico("no-such-command")).stderr)![1]!.split(", ");

describe("with --json, programs read what is told by", () => {
  it.each(names)("portico %s", async (name) => {
    const output = OUTPUTS[name];
    expect(output, `portico ${name} has no row in this test`).toBeDefined();
    if (typeof output !== "function") {
      const test = readFileSync(join(import.meta.dirname, output!.elsewhere), "utf8");
      expect(test).toContain('"--json"');
      return;
    }
    const lines = (await output()).split("\n").filter((line) => line !== "");
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf("object");
  });
});

/** A program of util-linux that plays a terminal to another. */
const TERMINAL = "script";

describe.skipIf(spawnSync(TERMINAL, ["--version"]).error !== undefined)("On a terminal", () => {
  it.each([
    [[], /\d\d:\d\d:\d\d INFO {2}shutting down/],
    [["--json"], /\{"level":30,.*"msg":"shutting down"/],
  ] as const)("the log of portico serve %s is for its reader", async (flags, form) => {
    const args = [...program, "serve", "--port", "0", ...flags];
    const words = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
    // The terminal turns the character into the signal.
    const text = await served(TERMINAL, ["--quiet", "--command", words, "/dev/null"], ({ stdin }) =>
      stdin!.write("\u0003"),
    );
    expect(text).toMatch(form);
  });
});
