import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { targets } from "../executables/targets.ts";

const root = resolve(import.meta.dirname, "..");

/** Stands for the executable: says how it was called, and ends as a check that found something. */
const program = `#!/bin/sh\nfor arg in "$@"; do printf '[%s]' "$arg"; done\nexit 1\n`;
const sumOf = (contents: string): string => createHash("sha256").update(contents).digest("hex");

let folder = "";
let server: Server;
let release = "";
let files: Record<string, string> = {};
/** What was asked of the server, which is a proxy too. */
const asked: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "jetblack action ü "));
  mkdirSync(join(folder, "temp"));
  server = createServer((request, response) => {
    asked.push(request.url!);
    // A proxy is asked for whole addresses.
    const contents = files[request.url!.replace(/^.*\/release\//, "")];
    response.statusCode = contents === undefined ? 404 : 200;
    response.end(contents);
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  release = `http://127.0.0.1:${(server.address() as AddressInfo).port}/release`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked.length = 0;
  files = {
    "jetblack-linux-amd64": program,
    SHA256SUMS: `${sumOf("other")}  jetblack-linux-arm64\n${sumOf(program)}  jetblack-linux-amd64\n`,
  };
});

/** Runs the action's step as a runner does. */
async function runStep(environment: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const step = spawn("bash", [join(root, "action/run.sh")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      RUNNER_OS: "Linux",
      RUNNER_ARCH: "X64",
      RUNNER_TEMP: join(folder, "temp"),
      JETBLACK_RELEASE: release,
      JETBLACK_SRC: ".",
      JETBLACK_OPTIONS: "--check --report github",
      NO_PROXY: "127.0.0.1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [output, [code]] = await Promise.all([text(step.stdout), once(step, "close")]);
  return { code, output };
}

describe("The GitHub action", () => {
  it("runs the executable of the release and ends as it does", async () => {
    expect(await runStep()).toEqual({ code: 1, output: "[--check][--report][github][--][.]" });
    expect(readdirSync(join(folder, "temp"))).toEqual([]);
  });

  it("takes paths by lines and options by white space, whatever they hold", async () => {
    const { output } = await runStep({
      JETBLACK_SRC: "src\n\nwith space ü\r\n$(touch owned)\n*.py\n",
      JETBLACK_OPTIONS: ' -l  100 \n--include "$(touch owned)"',
    });
    expect(output).toBe(
      '[-l][100][--include]["$(touch][owned)"][--][src][with space ü][$(touch owned)][*.py]',
    );
    expect(existsSync(join(folder, "owned"))).toBe(false);
  });

  test.each([
    ["no sources", { JETBLACK_SRC: "\n" }, {}],
    ["an unknown system", { RUNNER_OS: "Linux", RUNNER_ARCH: "ARM" }, {}],
    ["no such release", {}, { "jetblack-linux-amd64": undefined }],
    ["a release of two lines", { JETBLACK_RELEASE: "http://127.0.0.1/%0a\r\n::stop-commands::x" }, {}],
    ["no sums", {}, { SHA256SUMS: undefined }],
    ["an executable with another sum", {}, { "jetblack-linux-amd64": `${program}#` }],
    ["a sum of another file", {}, { SHA256SUMS: `${sumOf(program)}  jetblack-linux-amd64-musl\n` }],
    ["empty sums", {}, { SHA256SUMS: "" }],
  ])("with %s runs nothing and says why in one line", async (_name, environment, changed) => {
    Object.assign(files, changed);
    const { code, output } = await runStep(environment);
    expect(code).toBe(1);
    expect(output).toMatch(/^::error title=Jetblack::[^\n]+\n$/);
  });

  it("asks the proxy that the runner's environment names, but for the hosts that it leaves out", async () => {
    const proxy = new URL(release).origin;
    const elsewhere = { JETBLACK_RELEASE: "http://releases.invalid/release", NO_PROXY: "" };
    expect((await runStep({ ...elsewhere, http_proxy: proxy })).code).toBe(1);
    expect(asked).toEqual(
      ["jetblack-linux-amd64", "SHA256SUMS"].map((name) => `http://releases.invalid/release/${name}`),
    );
    asked.length = 0;
    const secure = { JETBLACK_RELEASE: "https://releases.invalid/release", HTTPS_PROXY: proxy };
    const refused = await runStep({ ...secure, NO_PROXY: "" });
    expect(asked[0]).toBe("CONNECT releases.invalid:443");
    expect(refused.output).toMatch(/^::error title=Jetblack::[^\n]+ cannot be fetched[^\n]+\n$/);
    asked.length = 0;
    await runStep({ ...secure, NO_PROXY: "releases.invalid" });
    expect(asked).toEqual([]);
  });

  it("names executables that are made", () => {
    const names = readFileSync(join(root, "action/run.sh"), "utf8").matchAll(/name=(jetblack-[\w.-]+)/g);
    expect([...names].map(([, name]) => name).sort()).toEqual(
      targets.map(({ name }) => `jetblack-${name}`).sort(),
    );
    const dockerfile = readFileSync(join(root, "executables/Dockerfile"), "utf8");
    expect(dockerfile).toMatch(/ jetblack-linux-\$\{TARGETARCH\} /);
  });
});
