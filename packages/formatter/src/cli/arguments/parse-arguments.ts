import type { RawArguments } from "../../mode/config/resolve-settings.ts";
import { UsageError } from "../../mode/config/usage-error.ts";
import { type OptionDefinition, type OptionKey, optionTable } from "../../mode/options.ts";
import { closeMatches } from "../../util/difflib/close-matches.ts";

/** The command line taken apart; values are not checked yet. */
export interface ParsedArguments {
  /** In order of first appearance. */
  readonly given: RawArguments;
  readonly sources: readonly string[];
}

type Option = OptionDefinition & { readonly key: OptionKey };

const longFlags = new Map<string, { option: Option; isOpposite: boolean }>();
const shortFlags = new Map<string, Option>();
for (const option of optionTable as readonly Option[]) {
  longFlags.set(`--${option.key}`, { option, isOpposite: false });
  if (option.opposite !== undefined) longFlags.set(`--${option.opposite}`, { option, isOpposite: true });
  if (option.short !== undefined) shortFlags.set(option.short, option);
}

/**
 * Splits arguments as click does: `-l 88`, `-l88`, `--line-length=88`, `-qv`, options after paths, `--` before paths.
 *
 * @throws {UsageError} for an unknown flag, or a missing or unwanted value.
 */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const given = new Map<OptionKey, string[]>();
  const sources: string[] = [];
  // The next one last: hooks name thousands of files, and to take from an array's front moves all the others.
  const rest = args.toReversed();
  const note = (option: Option, value: string): void => {
    const values = given.get(option.key);
    if (values === undefined) given.set(option.key, [value]);
    else values.push(value);
  };
  for (let arg = rest.pop(); arg !== undefined; arg = rest.pop()) {
    if (arg === "--") {
      sources.push(...rest.splice(0).reverse());
    } else if (arg.startsWith("--")) readLong(arg, rest, note);
    else if (arg.startsWith("-") && arg.length > 1) readShort(arg, rest, note);
    else sources.push(arg);
  }
  return { given, sources };
}

type Note = (option: Option, value: string) => void;

function readLong(arg: string, rest: string[], note: Note): void {
  const equals = arg.indexOf("=");
  const name = equals === -1 ? arg : arg.slice(0, equals);
  const value = equals === -1 ? undefined : arg.slice(equals + 1);
  const known = longFlags.get(name);
  if (known === undefined) throw unknownOption(name);
  if (known.option.kind === "flag") {
    if (value !== undefined)
      throw new UsageError(`Option '${name}' does not take a value.`, { showsUsage: false });
    note(known.option, known.isOpposite ? "false" : "true");
  } else note(known.option, value ?? takeValue(name, rest));
}

/** One or more letters after a dash; the rest behind a letter that takes a value is that value. */
function readShort(arg: string, rest: string[], note: Note): void {
  const letters = [...arg.slice(1)];
  letters.every((letter, index) => {
    const name = `-${letter}`;
    const option = shortFlags.get(name);
    if (option === undefined) throw new UsageError(`No such option '${name}'.`);
    if (option.kind === "flag") {
      note(option, "true");
      return true;
    }
    const attached = letters.slice(index + 1).join("");
    note(option, attached !== "" ? attached : takeValue(name, rest));
    return false;
  });
}

function takeValue(name: string, rest: string[]): string {
  const value = rest.pop();
  if (value === undefined)
    throw new UsageError(`Option '${name}' requires an argument.`, { showsUsage: false });
  return value;
}

function unknownOption(name: string): UsageError {
  const similar = closeMatches(name, [...longFlags.keys()]).sort();
  const quoted = similar.map((flag) => `'${flag}'`);
  if (quoted.length === 0) return new UsageError(`No such option '${name}'.`);
  const hint =
    quoted.length === 1 ? `Did you mean ${quoted[0]}?` : `(Did you mean one of: ${quoted.join(", ")}?)`;
  return new UsageError(`No such option '${name}'. ${hint}`);
}
