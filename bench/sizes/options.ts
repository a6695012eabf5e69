import { parseArgs } from "node:util";

/** What the benchmark was asked to do. */
export interface SizesOptions {
  readonly store: "sqlite" | "postgresql";
  readonly rows: number;
  readonly keys: number;
  readonly teams: number;
  /** Days over which the rows are spread, today the last. */
  readonly days: number;
  /** How often each question is asked. */
  readonly repeats: number;
  /** A store that was filled before: the address of a database or a data directory, kept afterwards. */
  readonly at: string | undefined;
  /** A folder for a store of the benchmark's own that stays: the first run fills it, the next ones find it filled. */
  readonly keep: string | undefined;
  /** Shows what PostgreSQL did for each question. */
  readonly plans: boolean;
  /** Compares calls with those on an empty store, and spend rows with sums with those without. */
  readonly calls: boolean;
  /** A page in `docs/` that gets the results. */
  readonly output: string | undefined;
  /** Only questions whose name has this in it. */
  readonly only: string;
}

const usage = `npm run bench:sizes -- [--store postgresql|sqlite] [--rows N] [--keys N] [--teams N] [--days 90]
  [--repeats 20] [--at URL|FOLDER] [--keep FOLDER] [--no-plans] [--no-calls] [--only NAME] [--output docs/gateway/sizes.md]
  --keep leaves the filled store in FOLDER, and the next run with the same FOLDER asks it without filling; --at does that
  with a database or a data directory that is there already.`;

/** @throws Error with the usage for flags that do not fit */
export function readSizesOptions(args: readonly string[]): SizesOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      store: { type: "string", default: "postgresql" },
      rows: { type: "string" },
      keys: { type: "string", default: "100000" },
      teams: { type: "string", default: "10000" },
      days: { type: "string", default: "90" },
      repeats: { type: "string", default: "20" },
      at: { type: "string" },
      keep: { type: "string" },
      plans: { type: "boolean", default: true },
      calls: { type: "boolean", default: true },
      output: { type: "string" },
      only: { type: "string", default: "" },
    },
  });
  const { store, at, keep } = values;
  if (store !== "sqlite" && store !== "postgresql") throw new Error(`There is no store ${store}.\n${usage}`);
  const number = (name: "keys" | "teams" | "days" | "repeats" | "rows", given = values[name]): number => {
    const value = Number(given);
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`--${name} takes a whole number from 1.\n${usage}`);
    return value;
  };
  return {
    store,
    rows: number("rows", values.rows ?? (store === "sqlite" ? "1000000" : "10000000")),
    keys: number("keys"),
    teams: number("teams"),
    days: number("days"),
    repeats: number("repeats"),
    at,
    keep,
    plans: values.plans && store === "postgresql",
    calls: values.calls,
    output: values.output,
    only: values.only,
  };
}
