import type { IncomingHttpHeaders } from "node:http";
import { defaultMode, type Mode } from "../mode/mode.ts";
import { Preview, type PreviewFeature, previewBits } from "../mode/preview.ts";
import { HeaderError } from "./protocol.ts";
import { parsePythonVariant } from "./python-variant.ts";

/** The mode that a request's headers ask for (blackd: parse_mode); throws `HeaderError`. */
export function modeOfHeaders(headers: IncomingHttpHeaders): Mode {
  // Of several faults the first is told.
  const lineLength = lineLengthOf(headers);
  const variant = textOf(headers, "x-python-variant");
  return {
    ...defaultMode,
    ...(variant === undefined ? {} : parsePythonVariant(variant)),
    lineLength,
    skipSourceFirstLine: isSet(headers, "x-skip-source-first-line"),
    stringNormalization: !isSet(headers, "x-skip-string-normalization"),
    magicTrailingComma: !isSet(headers, "x-skip-magic-trailing-comma"),
    preview: previewBits(isSet(headers, "x-preview"), isSet(headers, "x-unstable"), enabledFeatures(headers)),
  };
}

/** A flag is set by any text that is not empty. */
export function isSet(headers: IncomingHttpHeaders, name: string): boolean {
  return (textOf(headers, name) ?? "") !== "";
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function lineLengthOf(headers: IncomingHttpHeaders): number {
  const text = textOf(headers, "x-line-length");
  if (text === undefined) return defaultMode.lineLength;
  if (!/^\s*[+-]?\d+(_\d+)*\s*$/.test(text)) throw new HeaderError("Invalid line length header value");
  return Number(text.replaceAll("_", ""));
}

function enabledFeatures(headers: IncomingHttpHeaders): PreviewFeature[] {
  const names = (textOf(headers, "x-enable-unstable-feature") ?? "").split(",").map((name) => name.trim());
  return names
    .filter((name) => name !== "")
    .map((name) => {
      if (!Object.hasOwn(Preview, name))
        throw new HeaderError(`Invalid value for X-Enable-Unstable-Feature: ${name}`);
      return name as PreviewFeature;
    });
}
