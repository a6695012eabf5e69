import type { Inspection } from "./inspect.ts";

/** What came of a source, what was checked, and what each took. */
export function describe(source: string, inspection: Inspection, styleVersion: string): string {
  const { output, formatMs, checkMs, faults } = inspection;
  const style = `style of Black ${styleVersion}`;
  const lines =
    output === source
      ? [`Already well formatted, in the ${style}, found in ${milliseconds(formatMs)}.`]
      : [
          `Formatted in ${milliseconds(formatMs)}, ${style}.`,
          `Black's safety check passed in ${milliseconds(checkMs)}: the same syntax tree, and formatting it again changes nothing.`,
        ];
  if (faults.length > 0)
    lines.push(
      `${faults.length === 1 ? "1 cell stays as it is" : `${faults.length} cells stay as they are`}:`,
    );
  return [...lines, ...faults].join("\n");
}

/** Tenths as far as browsers tell them, which is less than the clock could. */
function milliseconds(value: number): string {
  return value < 0.1 ? "less than 0.1 ms" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
