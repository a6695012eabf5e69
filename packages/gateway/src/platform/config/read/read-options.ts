import type { JsonObject } from "../../../contract/json.ts";
import { nameHint } from "../../../util/nearest-name.ts";
import type { ConfigPath } from "../document/config-document.ts";
import type { ProblemReport } from "../document/problem-report.ts";
import { camelCase, type OptionTable, type Settings, WrongValue } from "../options/option.ts";

/**
 * A section's settings by its table: defaults for what is absent, an error for each wrong value, a warning for each
 * key that is neither in the table nor in `alsoKnown`.
 * @param advice what to do with an unknown key
 */
export function readOptions<Table extends OptionTable>(
  document: ProblemReport,
  section: JsonObject,
  path: ConfigPath,
  table: Table,
  alsoKnown: readonly string[] = [],
  advice = "",
): Settings<Table> {
  const { options, places, initial } = readyTable(table);
  const settings: Record<string, unknown> = { ...initial };
  const keys = Object.keys(section);
  // Entries have few of the options; what is wrong with them is told in the table's order.
  const given = keys.flatMap((key) => places.get(key) ?? []).sort((one, other) => one - other);
  for (const place of given) {
    const [key, camel, option] = options[place]!;
    const value = section[key];
    if (value === undefined || value === null) continue;
    if (option.shape === "ignored" || option.shape === "unenforced") {
      const effect = option.shape === "ignored" ? "has no effect here" : "is NOT ENFORCED here";
      document.warn([...path, key], `${effect}: ${option.doc}`);
      continue;
    }
    const result = option.read(value);
    if (result instanceof WrongValue) document.error([...path, key, ...result.at], result.message);
    else settings[camel] = result;
  }
  const isKnown = (key: string): boolean => places.has(key) || alsoKnown.includes(key);
  if (!keys.every(isKnown))
    warnOfUnknown(document, section, path, [...Object.keys(table), ...alsoKnown], advice);
  return settings as Settings<Table>;
}

/** A table as thousands of entries are read by it. */
interface ReadyTable {
  readonly options: readonly (readonly [key: string, camel: string, option: OptionTable[string]])[];
  /** Of each option, by its key. */
  readonly places: ReadonlyMap<string, number>;
  readonly initial: Readonly<Record<string, unknown>>;
}

const readyTables = new WeakMap<OptionTable, ReadyTable>();

function readyTable(table: OptionTable): ReadyTable {
  let ready = readyTables.get(table);
  if (ready === undefined) {
    const options = Object.entries(table).map(([key, option]) => [key, camelCase(key), option] as const);
    ready = {
      options,
      places: new Map(options.map(([key], place) => [key, place])),
      initial: Object.fromEntries(options.map(([, camel, { initial }]) => [camel, initial])),
    };
    readyTables.set(table, ready);
  }
  return ready;
}

/** Warns of each key that is not among the known ones, and names the nearest. */
export function warnOfUnknown(
  document: ProblemReport,
  section: JsonObject,
  path: ConfigPath,
  known: readonly string[],
  advice = "",
): void {
  for (const { key, message } of unknownKeys(section, known, advice)) document.warn([...path, key], message);
}

/** Refuses each key that is not among the known ones: where a section restricts, a misspelt restriction is none. */
export function refuseUnknown(
  document: ProblemReport,
  section: JsonObject,
  path: ConfigPath,
  known: readonly string[],
): void {
  for (const { key, message } of unknownKeys(section, known, "")) document.error([...path, key], message);
}

function unknownKeys(section: JsonObject, known: readonly string[], advice: string) {
  return Object.keys(section)
    .filter((key) => !known.includes(key))
    .map((key) => ({ key, message: `unknown key${nameHint(key, known, advice)}` }));
}
