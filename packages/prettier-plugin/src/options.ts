import { type FormatOptions, type PreviewFeature, type TargetVersion, targetVersions } from "jetblack";
import type { ParserOptions, SupportOption, SupportOptions } from "prettier";

const CATEGORY = "Python";

/**
 * The options that Prettier has no word for, named after Black's flags. `printWidth` is Black's `line-length`, with
 * Black's default in Python files. Adding one: a row here, and a line of `formatOptionsOf`.
 */
export const options: SupportOptions = {
  pythonTargetVersions: {
    category: CATEGORY,
    type: "choice",
    array: true,
    default: [{ value: [] }],
    description:
      "Python versions that the output has to run on; by default they are inferred from the source.",
    choices: targetVersions.map((value) => ({ value, description: `Python ${value[2]}.${value.slice(3)}` })),
    // Prettier's own types know no choice of several.
  } as SupportOption,
  pythonSkipStringNormalization: {
    category: CATEGORY,
    type: "boolean",
    default: false,
    description: "Leave quotes and prefixes of strings alone.",
  },
  pythonSkipMagicTrailingComma: {
    category: CATEGORY,
    type: "boolean",
    default: false,
    description: "Join collections on one line although they have a trailing comma.",
  },
  pythonPreview: {
    category: CATEGORY,
    type: "boolean",
    default: false,
    description: "Black's preview style.",
  },
  pythonUnstable: {
    category: CATEGORY,
    type: "boolean",
    default: false,
    description: "All of Black's style changes under trial.",
  },
  pythonEnableUnstableFeatures: {
    category: CATEGORY,
    type: "string",
    array: true,
    default: [{ value: [] }],
    description: "Single style changes under trial, by Black's names.",
  },
};

/** What Jetblack is told; a file's name says whether it is a stub. */
export function formatOptionsOf(asked: ParserOptions): FormatOptions {
  return {
    lineLength: asked.printWidth,
    targetVersions: asked.pythonTargetVersions as TargetVersion[],
    stringNormalization: !asked.pythonSkipStringNormalization,
    magicTrailingComma: !asked.pythonSkipMagicTrailingComma,
    preview: asked.pythonPreview as boolean,
    unstable: asked.pythonUnstable as boolean,
    enableUnstableFeatures: asked.pythonEnableUnstableFeatures as PreviewFeature[],
    isPyi: asked.filepath?.endsWith(".pyi") ?? false,
  };
}
