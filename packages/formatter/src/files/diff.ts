import { codeCells } from "../notebook/format-notebook.ts";
import { unifiedDiff } from "../util/difflib/unified-diff.ts";

/** A time as Python prints an aware `datetime` in UTC. */
function formatTime(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1000n)).toISOString().slice(0, 19).replace("T", " ");
  const fraction = microseconds % 1_000_000n;
  return `${seconds}${fraction === 0n ? "" : `.${String(fraction).padStart(6, "0")}`}+00:00`;
}

/**
 * A file's time in microseconds as Python has it (`datetime.fromtimestamp(os.stat(path).st_mtime)`): nanoseconds become
 * a float of seconds, whose fraction is rounded to even.
 */
export function pythonMicroseconds(nanoseconds: bigint): bigint {
  const seconds = Number(nanoseconds / 1_000_000_000n) + 1e-9 * Number(nanoseconds % 1_000_000_000n);
  const whole = Math.trunc(seconds);
  return BigInt(whole) * 1_000_000n + BigInt(roundToEven((seconds - whole) * 1e6));
}

function roundToEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value - Math.trunc(value)) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** The present, in microseconds since 1970. */
export function now(): bigint {
  return BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1000));
}

/** Names and times of the two sides of a diff. */
export interface DiffSides {
  readonly before: string;
  readonly after: string;
}

/** `a.py<TAB>time` for both sides. */
export function diffSides(beforeName: string, before: bigint, afterName: string): DiffSides {
  return { before: `${beforeName}\t${formatTime(before)}`, after: `${afterName}\t${formatTime(now())}` };
}

/** The diff of two sources; of notebooks, cell by cell. */
export function renderDiff(before: string, after: string, sides: DiffSides, isNotebook: boolean): string {
  if (!isNotebook) return unifiedDiff(before, after, sides.before, sides.after);
  const cellsAfter = codeCells(after);
  return codeCells(before)
    .map(({ index, code }, position) => {
      const name = `:cell_${index}`;
      const changed = `${cellsAfter[position]!.code}\n`;
      return unifiedDiff(`${code}\n`, changed, sides.before + name, sides.after + name);
    })
    .join("");
}

/** Adds terminal colours to a diff (Black: `color_diff`). */
export function colorDiff(diff: string): string {
  return diff
    .split("\n")
    .map((line) => {
      const code = colorOf(line);
      return code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
    })
    .join("\n");
}

function colorOf(line: string): number | undefined {
  if (line.startsWith("+++") || line.startsWith("---")) return 1;
  if (line.startsWith("@@")) return 36;
  if (line.startsWith("+")) return 32;
  return line.startsWith("-") ? 31 : undefined;
}
