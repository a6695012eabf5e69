import { operationsOf } from "../../packages/gateway/test/rules/operations.ts";
import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import { tellProgress } from "./fill.ts";
import { openSizedStore } from "./gateway.ts";
import { everyAsking, type Measured, measure } from "./measure.ts";
import { readSizesOptions } from "./options.ts";
import { showPlans } from "./plans.ts";
import { exempt, questions } from "./questions.ts";
import { rowsOf } from "./rows.ts";

/**
 * `npm run bench:sizes`: how long lists, reports and the console's pages take with 100,000 keys, 10,000 teams and ten
 * million spend rows (a million on SQLite). Ends with 1 where one takes longer than it may.
 */

/** Milliseconds that 95 of 100 answers may take. */
const LIMIT = 300;

const options = readSizesOptions(process.argv.slice(2));
const store = await openSizedStore(options);
process.once("SIGINT", () => {
  store.remove();
  process.exit(130);
});
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  store.remove();
}

async function run(): Promise<boolean> {
  let gateway = await store.startGateway();
  try {
    const unknown = await lackingQuestions(gateway);
    if (await isEmpty(gateway)) {
      await gateway.close();
      for (const rows of rowsOf(options)) await store.fill(rows);
      gateway = await store.startGateway();
    }
    const askings = everyAsking(options.only);
    const results: Measured[] = [];
    for (const [at, asking] of askings.entries()) {
      tellProgress(`${at + 1} of ${askings.length}: ${asking.asker}: ${asking.question.path}`);
      results.push(await measure(gateway, asking, options.repeats));
    }
    tellProgress("");
    process.stdout.write(`${tableOf(results)}\n`);
    if (options.plans) await showPlans(store, askings);
    for (const name of unknown)
      process.stdout.write(`${name} has no question in bench/sizes/questions.ts: write one, or exempt it\n`);
    return unknown.length === 0 && results.every((each) => each.p95 <= LIMIT && !each.isOdd);
  } finally {
    await gateway.close();
  }
}

/** Operations that read, as the gateway describes them, for which nobody has said what to ask. */
async function lackingQuestions(gateway: ChildGateway): Promise<string[]> {
  const operations = await operationsOf(gateway);
  return operations
    .filter(({ method, ids }) => method === "GET" && ids.length === 0)
    .filter(({ id }) => !exempt.has(id) && questions[id] === undefined)
    .map(({ id, path }) => `${id} (GET ${path})`);
}

async function isEmpty(gateway: ChildGateway): Promise<boolean> {
  const { data } = (await (await gateway.call("/spend/logs?page_size=1")).json()) as { data: unknown[] };
  return data.length === 0;
}

function tableOf(results: readonly Measured[]): string {
  // Whose role may not ask is told so, which is no list.
  const shown = results.filter(({ status }) => status !== 403);
  const sorted = shown.toSorted((one, other) => other.p95 - one.p95);
  const lines = sorted.map(({ operation, path, asker, status, bytes, p50, p95, isOdd }) => [
    ...[operation, `\`${path}\``, asker, isOdd ? `**${status}**` : status, bytes],
    ...[p50.toFixed(0), p95 > LIMIT ? `**${p95.toFixed(0)}**` : p95.toFixed(0)],
  ]);
  const head = ["Operation", "Question", "Asked by", "Status", "Bytes", "p50 ms", "p95 ms"];
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
