// Sends hostile inputs in every text of every operation's example, and measures how long the gateway holds up other
// callers meanwhile: the processor time that its main thread spends without a look at anybody else, which other work on
// the machine does not change, and how long `/health/liveliness` takes to answer another thread, which it does. An
// attack above the limit is repeated, and counts with its least. Ends with 1 where a turn was above the limit, or an
// answer with `--quiet`, and with 2 where the time was over before all was tried.
//   --limit MS      100 by default
//   --quiet         the machine does nothing else: answers count too
//   --characters N  length of texts, 300,000 by default
//   --bytes N       length of bodies, 5,000,000 by default
//   --only ID,ID    these operations alone
//   --minutes N     how long it may take, 30 by default
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { JsonObject } from "../../src/contract/json.ts";
import { rawRequest } from "../support/raw-request.ts";
import { eachTextIn } from "./each-text.ts";
import { hostileBodies, hostileTexts } from "./hostile-inputs.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { addressOf, examples, type Ids } from "./requests.ts";
import { keys, startStage } from "./stage.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    limit: text,
    quiet: { type: "boolean" },
    characters: text,
    bytes: text,
    only: text,
    minutes: text,
  },
});
const limit = Number(values.limit ?? 100);
const characters = Number(values.characters ?? 300_000);
const bytes = Number(values.bytes ?? 5_000_000);
const only = values.only?.split(",");
const deadline = performance.now() + Number(values.minutes ?? 30) * 60_000;
/** How often an attack above the limit is made. */
const TRIES = 3;
const WORST_SHOWN = 20;

/** How long others were held up, in milliseconds. */
interface HeldUp {
  /** Processor time of the gateway's longest turn. */
  readonly turn: number;
  /** Until liveliness was answered. */
  readonly answer: number;
}

interface Attack {
  readonly operation: Operation;
  readonly input: string;
  readonly ids: Ids;
  readonly body: string;
  readonly type?: string;
}

const folder = mkdtempSync(join(tmpdir(), "portico-freezes-"));
const socket = join(folder, "turns");
const meter = new URL(`./turn-meter.ts?socket=${encodeURIComponent(socket)}`, import.meta.url);
const stage = await startStage({ apart: [`--import=${meter}`] });
const { url, masterKey } = stage.gateway;
const prober = new Worker(new URL("./liveliness-prober.ts", import.meta.url), { workerData: url });

/** The worst since this was last asked. */
async function worst(): Promise<HeldUp> {
  prober.postMessage("worst");
  const [answer] = (await once(prober, "message")) as [number];
  return { turn: Math.round(Number(await textOf(connect(socket)))), answer: Math.round(answer) };
}

async function heldUpBy({ operation, ids, body, type }: Attack): Promise<HeldUp> {
  await worst();
  const key = operation.access === "admin" ? masterKey : keys.alice;
  const headers = type === undefined ? {} : { "content-type": type };
  const address = addressOf(operation, operation.path, ids);
  await rawRequest(url, operation.method, address, key, body, headers).catch(() => undefined);
  return worst();
}

const isSlow = ({ turn, answer }: HeldUp): boolean =>
  turn > limit || (values.quiet === true && answer > limit);

/** What shows each time. */
async function least(attack: Attack): Promise<HeldUp> {
  let found = await heldUpBy(attack);
  for (let tries = 1; tries < TRIES && isSlow(found); tries++) {
    const again = await heldUpBy(attack);
    found = { turn: Math.min(found.turn, again.turn), answer: Math.min(found.answer, again.answer) };
  }
  return found;
}

function* attacksOn(example: JsonObject): Generator<readonly [input: string, body: string]> {
  for (const [name, make] of Object.entries(hostileTexts))
    for (const { where, body } of eachTextIn(example, make(characters)))
      if (where !== "model") yield [`${name} in ${where}`, JSON.stringify(body)];
  for (const [name, make] of Object.entries(hostileBodies)) yield [name, make(example, bytes)];
}

async function* attacks(): AsyncGenerator<Attack> {
  for (const operation of await operationsOf(stage.gateway)) {
    if (only !== undefined && !only.includes(operation.id)) continue;
    const { needs, body } = examples[operation.id]!;
    const ids = needs === undefined ? {} : await stage.make(needs);
    if (body !== undefined)
      for (const [input, sent] of attacksOn(body(ids))) yield { operation, input, ids, body: sent };
    if (operation.takesForm) {
      const type = "multipart/form-data; boundary=a";
      yield { operation, input: "boundary", ids, body: "a".repeat(bytes), type };
    }
  }
}

const rows: (HeldUp & { readonly name: string })[] = [];
let isWhole = true;
let at = "";
for await (const attack of attacks()) {
  const { method, path, id } = attack.operation;
  if (id !== at) {
    at = id;
    process.stderr.write(`${rows.length} attacks made; ${method} ${path}\n`);
  }
  if (performance.now() > deadline) {
    isWhole = false;
    break;
  }
  const row = { name: `${method} ${path}  ${attack.input}`, ...(await least(attack)) };
  rows.push(row);
  if (isSlow(row)) process.stderr.write(`  ${lineOf(row)}`);
}
await prober.terminate();
await stage.close();
rmSync(folder, { recursive: true, force: true });

function lineOf({ turn, answer, name }: (typeof rows)[number]): string {
  return `${String(turn).padStart(6)} ms of work, answered after ${String(answer).padStart(6)} ms  ${name}\n`;
}

rows.sort((one, other) => other.turn - one.turn || other.answer - one.answer);
const slow = rows.filter(isSlow);
for (const row of rows.slice(0, Math.max(WORST_SHOWN, slow.length))) process.stdout.write(lineOf(row));
process.stdout.write(`${rows.length} attacks, ${slow.length} above ${limit} ms\n`);
if (!isWhole) process.stdout.write("The time was over before all was tried.\n");
process.exit(slow.length > 0 ? 1 : isWhole ? 0 : 2);
