import type { FormatOptions } from "../src/format/options.ts";
import { type TargetVersion, targetVersions } from "../src/mode/target-version.ts";

/** What the source is: its name's end says so on the command line, or `--pyi` and `--ipynb`. */
export const kinds = ["module", "stub", "notebook"] as const;
export type Kind = (typeof kinds)[number];

/** Everything that the page shows and a link carries. */
export interface PageState {
  readonly source: string;
  readonly kind: Kind;
  readonly lineLength: number;
  readonly targetVersion: TargetVersion | "auto";
  readonly skipStringNormalization: boolean;
  readonly skipMagicTrailingComma: boolean;
  readonly preview: boolean;
  readonly unstable: boolean;
}

export const initialState: PageState = {
  source: `from    typing import ( List, Dict )
def greet( name:str,greeting = 'hello', *, times:int=1 ) -> None:
    """ Say hello.  """
    for i in range( times ): print( f"{greeting}, {name}!", { 'index':i, 'of':times } )
`,
  kind: "module",
  lineLength: 88,
  targetVersion: "auto",
  skipStringNormalization: false,
  skipMagicTrailingComma: false,
  preview: false,
  unstable: false,
};

/** The state as the formatter's options; a notebook is none of them. */
export function formatOptions(state: PageState): FormatOptions {
  return {
    lineLength: state.lineLength,
    targetVersions: state.targetVersion === "auto" ? [] : [state.targetVersion],
    isPyi: state.kind === "stub",
    stringNormalization: !state.skipStringNormalization,
    magicTrailingComma: !state.skipMagicTrailingComma,
    preview: state.preview,
    unstable: state.unstable,
  };
}

/** A state out of anything that a link may hold: what does not fit is replaced by the default. */
export function readState(value: unknown): PageState {
  const given = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const flag = (name: keyof PageState): boolean => given[name] === true;
  const { source, lineLength, targetVersion } = given;
  return {
    source: typeof source === "string" ? source : initialState.source,
    // Links of before notebooks have `pyi`.
    kind: kinds.find((kind) => kind === given.kind) ?? (given.pyi === true ? "stub" : "module"),
    lineLength: isColumns(lineLength) ? lineLength : initialState.lineLength,
    targetVersion: targetVersions.find((version) => version === targetVersion) ?? "auto",
    skipStringNormalization: flag("skipStringNormalization"),
    skipMagicTrailingComma: flag("skipMagicTrailingComma"),
    preview: flag("preview"),
    unstable: flag("unstable"),
  };
}

function isColumns(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 10_000;
}

/** What a file is by its name. */
export function kindOfFile(name: string): Kind {
  if (name.endsWith(".ipynb")) return "notebook";
  return name.endsWith(".pyi") ? "stub" : "module";
}
