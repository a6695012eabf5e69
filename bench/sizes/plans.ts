import pg from "pg";
import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import type { SizedStore } from "./gateway.ts";
import { type Asking, ask } from "./measure.ts";

/**
 * The statements of each question as PostgreSQL ran them, with their plans and times, from its log: auto_explain writes
 * them there for every new connection to this database.
 */
export async function showPlans(store: SizedStore, askings: readonly Asking[]): Promise<void> {
  const { pathname } = new URL(store.url!);
  const database = pathname.slice(1);
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  const settings = {
    session_preload_libraries: "'auto_explain'",
    "auto_explain.log_min_duration": "5",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    // Whole plans without the costs of looking at the clock for every row.
    "auto_explain.log_timing": "off",
  };
  try {
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter database "${database}" set ${name} = ${value}`);
    const gateway: ChildGateway = await store.startGateway();
    const log = async () => {
      const found = await client.query<{ text: string }>(
        "select pg_read_file(setting) as text from (select current_setting('data_directory') || '/../log' as setting) as of",
      );
      return found.rows[0]!.text;
    };
    try {
      for (const asking of askings) {
        const before = (await log()).length;
        await ask(gateway, asking);
        const text = (await log()).slice(before);
        process.stdout.write(`\n## ${asking.asker}: ${asking.question.path}\n\n${text}\n`);
      }
    } finally {
      await gateway.close();
    }
  } finally {
    for (const name of Object.keys(settings))
      await client.query(`alter database "${database}" reset ${name}`);
    await client.end();
  }
}
