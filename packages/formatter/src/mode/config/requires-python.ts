import { parse, satisfies, validRange } from "@renovatebot/pep440";
import { type TargetVersion, targetVersions } from "../target-version.ts";

/**
 * Target versions that a project's `requires-python` allows, or `undefined` when it says nothing usable
 * (Black: `files.py` infer_target_version). Accepts a plain version (`3.8`) and specifiers (`>=3.8,<4`).
 */
export function inferFromRequiresPython(requirement: string | undefined): TargetVersion[] | undefined {
  if (requirement === undefined) return undefined;
  const version = parse(requirement.trim());
  if (version !== null) return version.release[0] === 3 ? only(`py3${version.release[1]}`) : undefined;
  const range = normalizeRange(requirement);
  if (range === undefined) return undefined;
  const allowed = targetVersions.filter((target) => satisfies(`3.${target.slice("py3".length)}`, range));
  return allowed.length > 0 ? allowed : undefined;
}

function only(name: string): TargetVersion[] | undefined {
  const known = targetVersions.find((version) => version === name);
  return known === undefined ? undefined : [known];
}

/** Micro versions are dropped where they would exclude a whole minor version (Black: strip_specifier_set). */
function normalizeRange(requirement: string): string | undefined {
  const parts: string[] = [];
  for (const part of requirement.split(",")) {
    const specifier = part.trim();
    if (specifier === "") continue;
    if (!validRange(specifier)) return undefined;
    parts.push(normalizeSpecifier(specifier));
  }
  return parts.length > 0 ? parts.join(",") : undefined;
}

function normalizeSpecifier(specifier: string): string {
  const match = /^(===|~=|==|!=|<=|>=|<|>)\s*(.+)$/.exec(specifier);
  if (match === null || specifier.includes("*")) return specifier;
  const [, operator = "", text = ""] = match;
  const release = parse(text)?.release;
  if (release === undefined) return specifier;
  const minor = `${release[0]}.${release[1] ?? 0}`;
  if (operator === ">") return release.length > 2 ? `>=${minor}` : specifier;
  return ["~=", "==", ">=", "==="].includes(operator) ? `${operator}${minor}` : specifier;
}
