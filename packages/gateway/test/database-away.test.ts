import { afterAll, beforeAll, expect, it } from "vitest";
import { type Operation, operationsOf } from "./rules/operations.ts";
import { ask, examples, type Ids, successOf } from "./rules/requests.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { hasPostgres } from "./support/services.ts";

let postgres: TestPostgres | undefined;
let stage: Stage | undefined;
beforeAll(async () => {
  if (!hasPostgres) return;
  postgres = await startPostgres();
  stage = await startStage({ environment: { DATABASE_URL: await postgres.createDatabase() } });
});
afterAll(async () => {
  await stage?.close();
  postgres?.stop();
});

it.skipIf(!hasPostgres)(
  "Every operation answers that the database is away, or does without, and goes on when it is back",
  { timeout: 300_000 },
  async () => {
    const operations = await operationsOf(stage!.gateway);
    const made = new Map<Operation, Ids>();
    for (const operation of operations) {
      const { needs } = examples[operation.id]!;
      made.set(operation, needs === undefined ? {} : await stage!.make(needs));
    }
    const statusOf = async (operation: Operation, form: string, ids: Ids): Promise<number> => {
      const { status } = await ask(stage!, operation, { form, ids });
      return status === successOf(operation) ? 200 : status;
    };
    postgres!.crash();
    const statuses: [string, number][] = [];
    for (const [operation, ids] of made)
      for (const form of operation.forms)
        statuses.push([`${operation.method} ${form}`, await statusOf(operation, form, ids)]);
    // The specification of agents: any other failure is 500 with the error's text.
    const unexpected = statuses.filter(
      ([name, status]) =>
        status !== 200 && status !== 503 && !(status === 500 && name.includes("/v1/agents")),
    );
    expect(unexpected).toEqual([]);
    expect(statuses.filter(([, status]) => status === 503).length).toBeGreaterThan(50);
    postgres!.startAgain();
    const back = [...made.keys()].find(({ path }) => path === "/v1/files")!;
    await expect.poll(async () => (await ask(stage!, back)).status).toBe(200);
  },
);
