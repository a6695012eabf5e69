/** The library: formats Python source as Black does, without Python, files or network. */
export { format } from "./format/format-string.ts";
export { InvalidOutputError } from "./format/invalid-output-error.ts";
export { type FormatOptions, OptionError } from "./format/options.ts";
export type { LineRange } from "./format/ranges/line-range.ts";
export type { PreviewFeature } from "./mode/preview.ts";
export { type TargetVersion, targetVersions } from "./mode/target-version.ts";
export { productVersion as version, styleVersion } from "./mode/versions.ts";
export { ParseError } from "./parse/errors.ts";
export { TooDeepError } from "./syntax/too-deep-error.ts";
