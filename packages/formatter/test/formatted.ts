import { formatSource } from "../src/format/format-source.ts";
import { defaultMode, type Mode } from "../src/mode/mode.ts";

/** The text as it comes out, both without their last line break; with changes to the default options. */
export function formatted(source: string, changes: Partial<Mode> = {}): string {
  return formatSource(`${source}\n`, { ...defaultMode, ...changes }).replace(/\n$/, "");
}
