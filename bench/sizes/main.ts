import { readFileSync, writeFileSync } from "node:fs";
import { operationsOf } from "../../packages/gateway/test/rules/operations.ts";
import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import { tellProgress } from "./fill.ts";
import { openSizedStore, type SizedStore } from "./gateway.ts";
import { everyAsking, type Measured, measure } from "./measure.ts";
import { readSizesOptions } from "./options.ts";
import { callCosts } from "./overhead.ts";
import { LIMIT, type Results, textOf, withResults } from "./page.ts";
import { plansOf } from "./plans.ts";
import { lackingQuestions } from "./questions.ts";
import { keyText, rowsOf } from "./rows.ts";
import { sumUp } from "./sum-up.ts";
import { writeCosts } from "./write-cost.ts";

/**
 * `npm run bench:sizes`: how long lists, reports and the console's pages take with 100,000 keys, 10,000 teams and ten
 * million spend rows (a million on SQLite), what the store does for each, and whether a call is dearer than with an empty
 * store. Ends with 1 where one takes longer than it may, or where a route has no question.
 */

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
    const lacking = lackingQuestions(await operationsOf(gateway));
    if (await isEmpty(gateway)) {
      await gateway.close();
      for (const rows of rowsOf(options)) await store.fill(rows);
      const sums = await sumUp(store);
      tellProgress("");
      process.stdout.write(`${sums}\n`);
      gateway = await store.startGateway();
    }
    const askings = everyAsking(options.only);
    const measured: Measured[] = [];
    for (const [at, asking] of askings.entries()) {
      tellProgress(`${at + 1} of ${askings.length}: ${asking.asker}: ${asking.question.path}`);
      measured.push(
        await measure(gateway, asking, { repeats: options.repeats, databaseCpu: store.databaseCpu }),
      );
    }
    const plans = options.plans ? await plansOf(store, askings) : [];
    // Calls are compared with those of a gateway that has just started.
    await gateway.close();
    gateway = await store.startGateway();
    const results: Results = {
      options,
      measured,
      plans,
      calls: options.calls ? await compareCalls(gateway, store) : undefined,
      writes: options.calls && options.store === "postgresql" ? await writeCosts(store, options) : [],
    };
    tellProgress("");
    process.stdout.write(`${textOf(results)}\n`);
    if (options.output !== undefined)
      writeFileSync(options.output, withResults(readFileSync(options.output, "utf8"), results));
    for (const name of lacking)
      process.stdout.write(`${name} has no question in bench/sizes/questions.ts: write one, or exempt it\n`);
    return lacking.length === 0 && measured.every((each) => each.p95 <= LIMIT && !each.isOdd);
  } finally {
    await gateway.close();
  }
}

async function isEmpty(gateway: ChildGateway): Promise<boolean> {
  const { data } = (await (await gateway.call("/spend/logs?page_size=1")).json()) as { data: unknown[] };
  return data.length === 0;
}

/** The same calls with the full store and with an empty one, whose one key has a team, an organization and a user too. */
async function compareCalls(full: ChildGateway, sized: SizedStore) {
  const { gateway: empty, remove } = await sized.startEmptyGateway();
  try {
    const make = async (path: string, body: object): Promise<Record<string, string>> =>
      (await (await empty.call(path, { body })).json()) as Record<string, string>;
    const { organization_id } = await make("/organization/new", { organization_alias: "one", models: [] });
    const { team_id } = await make("/team/new", { team_alias: "one", organization_id });
    await make("/user/new", { user_id: "user-1", auto_create_key: false });
    const { key } = await make("/key/generate", { team_id, user_id: "user-1" });
    if (key === undefined) throw new Error("the empty store got no key");
    return await callCosts(
      [
        { name: "full store", gateway: full, key: keyText(2) },
        { name: "empty store", gateway: empty, key },
      ],
      sized.databaseCpu,
    );
  } finally {
    await empty.close();
    await remove();
  }
}
