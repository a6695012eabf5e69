import { gt, lt, parse, satisfies, validRange } from "@renovatebot/pep440";
import { type TargetVersion, targetVersions } from "../target-version.ts";

/**
 * Target versions that a project's `requires-python` allows, or `undefined` when it says nothing usable
 * (Black: `files.py` infer_target_version). Accepts a plain version (`3.8`) and specifiers (`>=3.8,<4`).
 */
export function inferFromRequiresPython(requirement: string | undefined): TargetVersion[] | undefined {
  if (requirement === undefined) return undefined;
  const version = parse(requirement.trim());
  if (version !== null) return version.release[0] === 3 ? only(`py3${version.release[1]}`) : undefined;
  const specifiers = normalizeRange(requirement);
  if (specifiers === undefined) return undefined;
  const allowed = targetVersions.filter((target) => {
    const release = `3.${target.slice("py3".length)}`;
    return specifiers.every((specifier) => allows(specifier, release));
  });
  return allowed.length > 0 ? allowed : undefined;
}

function only(name: string): TargetVersion[] | undefined {
  const known = targetVersions.find((version) => version === name);
  return known === undefined ? undefined : [known];
}

const SPECIFIER = /^(===|~=|==|!=|<=|>=|<|>)\s*(.+)$/;

/**
 * Whether a specifier allows a release such as `3.9`. The library takes no release for smaller or greater than a pre-release
 * or post-release of its own, and a text behind `===` for a version.
 */
function allows(specifier: string, release: string): boolean {
  const [, operator, text = ""] = SPECIFIER.exec(specifier) ?? [];
  if (operator === "<") return lt(release, text);
  if (operator === ">") return gt(release, text);
  return operator === "===" ? release === text : satisfies(release, specifier);
}

/** Micro versions are dropped where they would exclude a whole minor version (Black: strip_specifier_set). */
function normalizeRange(requirement: string): string[] | undefined {
  const parts: string[] = [];
  for (const part of requirement.split(",")) {
    const specifier = part.trim();
    if (specifier === "") continue;
    if (!validRange(specifier)) return undefined;
    parts.push(normalizeSpecifier(specifier));
  }
  return parts.length > 0 ? parts : undefined;
}

function normalizeSpecifier(specifier: string): string {
  const match = SPECIFIER.exec(specifier);
  if (match === null || specifier.includes("*")) return specifier;
  const [, operator = "", text = ""] = match;
  const release = parse(text)?.release;
  if (release === undefined) return specifier;
  const minor = `${release[0]}.${release[1] ?? 0}`;
  if (operator === ">") return release.length > 2 ? `>=${minor}` : specifier;
  return ["~=", "==", ">=", "==="].includes(operator) ? `${operator}${minor}` : specifier;
}
