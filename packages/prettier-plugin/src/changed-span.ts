/** The part of a text that another one replaces, in whole lines. */
export interface ChangedSpan {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * A run of whole lines that turns `source` into `output`: those that differ and those from `start` to `end`. Prettier
 * gives nothing for a blank part and cuts blank ends off, so that both are avoided by further lines.
 * Both texts have the same line ends.
 */
export function changedSpan(source: string, output: string, start: number, end: number): ChangedSpan {
  const before = source.split("\n");
  const after = output.split("\n");
  let head = 0;
  const selected = lineOf(source, start);
  while (head < selected && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length - 1 - lineOf(source, end), after.length - head);
  while (tail < most && before.at(-tail - 1) === after.at(-tail - 1)) tail++;
  const isBlank = (lines: readonly string[]): boolean =>
    lines.slice(head, lines.length - tail).every((line) => line.trim() === "");
  while (tail > 0 && (isBlank(before) || after.at(-tail - 1)?.trim() === "")) tail--;
  while (head > 0 && isBlank(before)) head--;
  return {
    start: offsetOf(before, head),
    end: offsetOf(before, before.length - tail) - (tail > 0 ? 1 : 0),
    replacement: after.slice(head, after.length - tail).join("\n"),
  };
}

/** The 0-based number of the line that holds an offset. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

/** Where a line begins; past the last one, where the text ends. */
function offsetOf(lines: readonly string[], index: number): number {
  const length = lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
  return index === lines.length ? length - 1 : length;
}
