import { type TargetVersion, targetVersions } from "../mode/target-version.ts";
import { HeaderError } from "./protocol.ts";

/** What `X-Python-Variant` asks for: stubs, or the versions the output must run on. */
export interface PythonVariant {
  readonly isPyi: boolean;
  readonly targetVersions: readonly TargetVersion[];
}

const EXAMPLE = "expected e.g. '3.7', 'py3.5'";

/** Reads `pyi`, or versions such as `3.7`, `py36`, `py3.8,3.9` (blackd: parse_python_variant_header). */
export function parsePythonVariant(value: string): PythonVariant {
  const text = value.trim();
  if (text === "pyi") return { isPyi: true, targetVersions: [] };
  const versions = new Set(text.split(",").map((item) => parseVersion(item.trim())));
  return { isPyi: false, targetVersions: targetVersions.filter((version) => versions.has(version)) };
}

function parseVersion(item: string): TargetVersion {
  const text = item.startsWith("py") ? item.slice(2) : item;
  if (text === "") throw invalid(EXAMPLE);
  const [majorText, minorText] = text.includes(".")
    ? text.split(".")
    : [text[0]!, text.slice(1) || undefined];
  const major = integer(majorText!);
  if (major !== 2 && major !== 3) throw invalid("major version must be 2 or 3");
  // Without a minor version the lowest supported one is meant.
  const minor = minorText === undefined ? (major === 2 ? 7 : 3) : integer(minorText);
  if (major === 2 && minorText !== undefined) throw invalid("Python 2 is not supported");
  const version = targetVersions.find((name) => name === `py${major}${minor}`);
  if (version === undefined) throw invalid(major === 3 ? `3.${minor} is not supported` : EXAMPLE);
  return version;
}

function integer(text: string): number {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw invalid(EXAMPLE);
  return Number(text);
}

function invalid(reason: string): HeaderError {
  return new HeaderError(`Invalid value for X-Python-Variant: ${reason}`);
}
