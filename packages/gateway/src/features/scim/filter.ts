import { ScimProblem } from "./problem.ts";

/** One comparison: an attribute's path in small letters, and what it must be. */
export interface Comparison {
  readonly attribute: string;
  readonly value: string | boolean;
}

/** A filter: any of the lists must hold whole. */
export type Filter = readonly (readonly Comparison[])[];

const MAX_LENGTH = 1000;
const MAX_COMPARISONS = 20;

/** The parts of a filter; a pattern without repetitions in one another takes linear time. */
const TOKEN =
  /\s*(?:(and|or)\b|([A-Za-z][\w.:-]*(?:\[type eq "\w{1,20}"\])?(?:\.\w+)?)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false))/iy;

/**
 * A filter of comparisons by `eq`, with `and` before `or` (RFC 7644, section 3.4.2.2); no brackets.
 * @throws ScimProblem `invalidFilter`
 */
export function readFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalid(`The filter has more than ${MAX_LENGTH} characters`);
  const any: Comparison[][] = [[]];
  let count = 0;
  let wantsComparison = true;
  for (let at = 0; text.slice(at).trim() !== ""; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw invalid("Filters compare by eq, joined by and, or");
    at = TOKEN.lastIndex;
    const [, word, attribute, value] = found;
    if ((word === undefined) !== wantsComparison) throw invalid("Filters compare by eq, joined by and, or");
    wantsComparison = !wantsComparison;
    if (word?.toLowerCase() === "or") any.push([]);
    if (attribute === undefined || value === undefined) continue;
    if (++count > MAX_COMPARISONS) throw invalid(`The filter has more than ${MAX_COMPARISONS} comparisons`);
    any.at(-1)!.push({ attribute: plain(attribute), value: literalIn(value) });
  }
  if (wantsComparison) throw invalid("The filter lacks a comparison");
  return any;
}

/** `urn:...:User:userName` and `emails[type eq "work"].value` by their plain names. */
function plain(attribute: string): string {
  const name = attribute.replace(/\[[^\]]*\]/, "");
  return name.slice(name.lastIndexOf(":") + 1).toLowerCase();
}

function literalIn(text: string): string | boolean {
  if (!text.startsWith('"')) return text.toLowerCase() === "true";
  try {
    return JSON.parse(text) as string;
  } catch {
    throw invalid("A value of the filter is no JSON text");
  }
}

function invalid(detail: string): ScimProblem {
  return new ScimProblem(400, detail, "invalidFilter");
}
