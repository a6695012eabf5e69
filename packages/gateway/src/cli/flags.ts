import { parseArgs } from "node:util";
import { nearestName } from "../util/nearest-name.ts";
import { UsageError } from "./explain-error.ts";

/** One flag of a command: the word for its value in help texts (none for a switch) and what it does. */
export interface Flag {
  readonly value?: string;
  readonly doc: string;
}

/** The flags of a command by their names without dashes; the one place to add one. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** A command as its help text shows it. */
export interface CommandHelp {
  /** How the command is called, a line each. */
  readonly usage: readonly string[];
  /** What it does, in a sentence or two. */
  readonly about: string;
  readonly flags: FlagTable;
}

/** The values given: text for a flag with a value, true for a switch. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends { value: string } ? string : boolean;
};

/** Every command takes these. */
const COMMON: FlagTable = { help: { doc: "show this text" } };

/**
 * Reads a command's arguments; underscores may stand for dashes in the names of flags.
 * @returns nothing where help was asked for; it has been printed then
 * @throws UsageError that names the flag at fault and the nearest one that there is
 */
export function readArguments<const Table extends FlagTable>(
  args: readonly string[],
  command: CommandHelp & { readonly flags: Table },
): { values: FlagValues<Table>; positionals: string[] } | undefined {
  const known: FlagTable = { ...command.flags, ...COMMON };
  const spelled = args.map(withDashes);
  const end = spelled.indexOf("--");
  for (const arg of end === -1 ? spelled : spelled.slice(0, end)) requireKnown(arg, known);
  const { values, positionals } = parse(spelled, known);
  if (values.help === true) {
    process.stdout.write(helpText(command));
    return undefined;
  }
  return { values: values as FlagValues<Table>, positionals };
}

/** The text of `--help`. */
export function helpText({ usage, about, flags }: CommandHelp): string {
  const rows = Object.entries({ ...flags, ...COMMON }).map(([name, { value, doc }]) => {
    const left = `  --${name}${value === undefined ? "" : ` ${value}`}`;
    return `${left.padEnd(28)}${doc}`;
  });
  const calls = usage.map((line, index) => `${index === 0 ? "Usage: " : "       "}${line}`);
  return [...calls, "", about, "", "Flags:", ...rows, ""].join("\n");
}

/** A whole or broken number from a flag or variable. @throws UsageError */
export function checkedNumber(
  name: string,
  text: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
  whole = false,
): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= least && number <= most && (!whole || Number.isInteger(number)))
    return number;
  const kind = whole ? "a whole number" : "a number";
  const range = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`${name} must be ${kind}, ${range}, not ${text === "" ? "empty" : text}`);
}

function withDashes(arg: string): string {
  return arg.startsWith("--") ? arg.replace(/^--[^=]+/, (name) => name.replaceAll("_", "-")) : arg;
}

function requireKnown(arg: string, known: FlagTable): void {
  const name = /^--([^=]+)/.exec(arg)?.[1];
  if (name === undefined || Object.hasOwn(known, name)) return;
  const nearest = nearestName(name, Object.keys(known));
  // No question mark behind the name: whoever copies it would copy that too.
  throw new UsageError(
    `there is no flag --${name}${nearest === undefined ? "" : ` (did you mean --${nearest})`}`,
  );
}

function parse(args: readonly string[], known: FlagTable) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(name === "help" ? { short: "h" } : {}),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(plainWords(error as Error));
  }
}

/** Node's sentences about arguments without its advice on quoting. */
function plainWords({ message }: Error): string {
  const missing = /^Option '([^']+?)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message)?.[1];
  if (missing !== undefined)
    return `${missing} needs a value${message.includes("ambiguous") ? `; one that begins with a dash goes behind ${missing}=` : ""}`;
  return message.split(". ")[0]!.replace(/\.$/, "");
}
