import pg from "pg";
import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import type { SizedStore } from "./gateway.ts";
import { type Asking, ask } from "./measure.ts";

/** What PostgreSQL did for one question. */
export interface Planned {
  readonly asking: Asking;
  readonly statements: number;
  /** Milliseconds of the statement that took longest, and its plan with the rows that there were. */
  readonly took: number;
  readonly plan: readonly string[];
}

const SETTINGS = {
  session_preload_libraries: "'auto_explain'",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  // Whole plans without the costs of looking at the clock for every row.
  "auto_explain.log_timing": "off",
  "auto_explain.log_level": "log",
};

/**
 * The slowest statement of each question as PostgreSQL ran it, from its log: auto_explain writes the plans there for
 * every new connection to this database.
 */
export async function plansOf(store: SizedStore, askings: readonly Asking[]): Promise<Planned[]> {
  const database = new URL(store.url!).pathname.slice(1);
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  const logSince = async (place: number): Promise<{ place: number; text: string }> => {
    const { rows } = await client.query<{ place: string; text: string }>(
      `select size as place, pg_read_file(file, $1, greatest(0, size - $1)) as text
       from (select file, (pg_stat_file(file)).size as size
         from (select current_setting('data_directory') || '/../log' as file) as of) as found`,
      [place],
    );
    return { place: Number(rows[0]!.place), text: rows[0]!.text };
  };
  const planned: Planned[] = [];
  try {
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(`alter database "${database}" set ${name} = ${value}`);
    const gateway: ChildGateway = await store.startGateway();
    try {
      let { place } = await logSince(0);
      for (const asking of askings) {
        await ask(gateway, asking);
        const log = await logSince(place);
        place = log.place;
        planned.push({ asking, ...slowestOf(log.text) });
      }
    } finally {
      await gateway.close();
    }
  } finally {
    for (const name of Object.keys(SETTINGS))
      await client.query(`alter database "${database}" reset ${name}`);
    await client.end();
  }
  return planned;
}

function slowestOf(log: string): Omit<Planned, "asking"> {
  const statements = [...log.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)*)/g)].map(
    ([, took, text]) => ({ took: Number(took), lines: text!.split("\n").map((line) => line.slice(1)) }),
  );
  // What the gateway asks for itself meanwhile, and what every call asks for, is no plan of a list.
  const own = statements.filter(({ lines }) => !/"(?:jobs|versions|settings)"/.test(lines.join("\n")));
  const slowest = own.toSorted((one, other) => other.took - one.took)[0];
  if (slowest === undefined) return { statements: 0, took: 0, plan: [] };
  const plan = slowest.lines
    .filter(
      (line) => /\(actual |never executed/.test(line) || /(Index Cond|Filter|Sort Key|Workers L)/.test(line),
    )
    .filter((line) => !line.startsWith("Query Text:"))
    .map((line) => line.replace(/ {2}\(cost=[^)]*\)/, "").slice(0, 160));
  return { statements: own.length, took: slowest.took, plan };
}
