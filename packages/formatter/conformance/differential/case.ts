import type { MadeCase, Request } from "../black-process.ts";

/** A case without its number: what can be shrunk, kept and tried again. */
export type Case = Omit<MadeCase, "number" | "maker">;

/** The bytes of the file that both formatters get, as text: a notebook of one cell, or the source itself. */
export function fileText({ source, options }: Case): string {
  if (options.is_ipynb !== true || isNotebook(source)) return source;
  const cell = {
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source: source.split(/(?<=\n)/),
  };
  return `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 }, null, 1)}\n`;
}

/** Whether a source is a whole notebook, rather than the text of a cell. */
function isNotebook(source: string): boolean {
  try {
    const whole: unknown = JSON.parse(source);
    return typeof whole === "object" && whole !== null && ("cells" in whole || "nbformat" in whole);
  } catch {
    return false;
  }
}

/** The question for Black. */
export function toRequest(one: Case): Request {
  return { source: fileText(one), options: one.options, ranges: one.ranges, fast: one.fast };
}
