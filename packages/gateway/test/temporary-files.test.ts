import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ChildGateway, MASTER_KEY, spawnTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";
import { workerPids } from "./support/workers.ts";

let folder = "";
const opened: (ChildGateway | Socket)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-temporary-"));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await ("close" in each ? each.close() : each.destroy());
  rmSync(folder, { recursive: true, force: true });
});

/** Without a store, where there is one process. */
async function start(...flags: string[]): Promise<ChildGateway> {
  const gateway = await spawnTestGateway({
    flags,
    environment: { TMPDIR: folder, ...(flags.length === 0 && { DATABASE_URL: "none" }) },
    config: `
model_list:
  - {model_name: sora-2, litellm_params: {model: openai/sora-2, api_key: k, api_base: "http://127.0.0.1:9/v1"}}
general_settings: {master_key: ${MASTER_KEY}}
`,
  });
  opened.push(gateway);
  return gateway;
}

/** Folders of processes, and what lies in them beside the lock. */
function left(): Record<string, number> {
  const names = readdirSync(folder).filter((name) => name.startsWith("portico-process-"));
  return Object.fromEntries(names.map((name) => [name, readdirSync(join(folder, name)).length - 1]));
}

/** Begins a form with a file that goes on for ever. */
async function beginUpload({ url }: ChildGateway, files: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  opened.push(socket);
  socket.write(
    `POST /v1/videos HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${MASTER_KEY}\r\ncontent-length: 9999999\r\n` +
      "content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n" +
      'content-disposition: form-data; name="input_reference"; filename="a.png"\r\n\r\nbegins',
  );
  await until(() => Object.values(left()).reduce((all, each) => all + each, 0) >= files);
}

it("Files of a form that broke off by kill -9 go when the next gateway starts; those of others stay", async () => {
  const killed = await start();
  const lives = await start();
  await beginUpload(killed, 1);
  const [ofKilled] = Object.keys(left());
  await beginUpload(lives, 2);
  killed.process.kill("SIGKILL");
  await killed.close();
  expect(Object.values(left())).toEqual([1, 1]);
  await start();
  expect(Object.keys(left())).toHaveLength(1);
  expect(left()).not.toHaveProperty(ofKilled!);
  // Whoever ends in order leaves nothing.
  for (const each of opened) if ("destroy" in each) each.destroy();
  lives.process.kill("SIGTERM");
  await lives.exited;
  expect(left()).toEqual({});
});

it("Files of a worker that was killed go when it serves again", async () => {
  const gateway = await start("--workers", "2");
  for (let uploads = 1; uploads <= 8; uploads += 1) await beginUpload(gateway, uploads);
  const before = Object.keys(left());
  const pids = [...workerPids(gateway.log()).values()];
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await until(() => [...workerPids(gateway.log()).values()].every((pid) => !pids.includes(pid)));
  expect(before.filter((name) => name in left())).toEqual([]);
});

it("What versions before left goes after a day, and nothing else in the folder", async () => {
  const old = ["portico-upload-a", "portico-process-b", "other", "portico"];
  for (const name of [...old, "portico-upload-new"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "portico-video-c"), "");
  for (const name of [...old, "portico-video-c"]) utimesSync(join(folder, name), 1, 1);
  await start();
  expect(readdirSync(folder).filter((name) => !name.startsWith("node-"))).toEqual(
    expect.arrayContaining(["other", "portico", "portico-upload-new"]),
  );
  expect(readdirSync(folder).filter((name) => /-[abc]$/.test(name))).toEqual([]);
});

it("One place makes all temporary files", () => {
  const source = resolve(import.meta.dirname, "../src");
  const users = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => readFileSync(join(source, name), "utf8").includes("tmpdir()"));
  expect(users).toEqual(["platform/store/temporary.ts"]);
});
