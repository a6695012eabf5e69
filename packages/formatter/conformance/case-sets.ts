import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultMode, type Mode } from "../src/mode/mode.ts";
import { previewBits } from "../src/mode/preview.ts";
import { type TargetVersion, targetVersions } from "../src/mode/target-version.ts";
import type { Item, ItemSet } from "./item.ts";

interface CaseRecord {
  readonly name: string;
  readonly minimum_version: string | null;
  readonly mode: {
    readonly line_length: number;
    readonly target_versions: readonly string[];
    readonly pyi: boolean;
    readonly string_normalization: boolean;
    readonly magic_trailing_comma: boolean;
    readonly preview: boolean;
    readonly unstable: boolean;
  };
  readonly line_ranges: readonly (readonly [number, number])[];
  readonly input: string;
  readonly output: string;
}

/** Black's own test cases, in four sets by what they exercise. */
export function caseSets(dataFolder: string): ItemSet[] {
  const file = join(dataFolder, "cases-dev.json");
  if (!existsSync(file)) return [];
  const records: CaseRecord[] = JSON.parse(readFileSync(file, "utf8"));
  const setOf = (record: CaseRecord): string => {
    if (record.line_ranges.length > 0) return "cases-line-ranges";
    if (record.mode.unstable) return "cases-unstable";
    return record.mode.preview ? "cases-preview" : "cases-stable";
  };
  return ["cases-stable", "cases-line-ranges", "cases-preview", "cases-unstable"].map((name) => ({
    name,
    items: records.filter((record) => setOf(record) === name).map(toItem),
  }));
}

function toItem(record: CaseRecord): Item {
  return {
    name: record.name,
    mode: toMode(record),
    lineRanges: record.line_ranges,
    isNotebook: false,
    load: () => ({ bytes: Buffer.from(record.input), expected: { text: record.output } }),
  };
}

function toMode({ mode }: CaseRecord): Mode {
  return {
    ...defaultMode,
    lineLength: mode.line_length,
    targetVersions: mode.target_versions.map(toTargetVersion),
    isPyi: mode.pyi,
    stringNormalization: mode.string_normalization,
    magicTrailingComma: mode.magic_trailing_comma,
    preview: previewBits(mode.preview, mode.unstable, []),
  };
}

function toTargetVersion(name: string): TargetVersion {
  const known = targetVersions.find((version) => version === name.toLowerCase());
  if (known === undefined) throw new Error(`unknown target version in the cases: ${name}`);
  return known;
}
