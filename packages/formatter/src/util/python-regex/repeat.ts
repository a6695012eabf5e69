import { PatternError } from "./pattern-error.ts";
import type { Piece } from "./piece.ts";

/** A quantifier as written. */
export interface Repeat {
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
  readonly isPossessive: boolean;
  /** Offset behind it. */
  readonly end: number;
}

/** The quantifier at `at`, or `undefined` when none starts there; a `{` that begins none is a plain character. */
export function readRepeat(pattern: string, at: number): Repeat | undefined {
  const infinity = Number.POSITIVE_INFINITY;
  const simple: Record<string, readonly [number, number]> = {
    "*": [0, infinity],
    "+": [1, infinity],
    "?": [0, 1],
  };
  const bounds = simple[pattern[at] ?? ""];
  if (bounds !== undefined) return withSuffix(pattern, bounds[0], bounds[1], at + 1);
  if (pattern[at] !== "{") return undefined;
  const match = /^\{(\d*)(,?)(\d*)\}/.exec(pattern.slice(at));
  if (match === null || (match[1] === "" && match[2] === "")) return undefined;
  const [, low = "", comma, high = ""] = match;
  const min = low === "" ? 0 : Number(low);
  const max = comma === "" ? min : high === "" ? infinity : Number(high);
  if (max < min) throw new PatternError("min repeat greater than max repeat", pattern, at + 1);
  return withSuffix(pattern, min, max, at + match[0].length);
}

function withSuffix(pattern: string, min: number, max: number, end: number): Repeat {
  const suffix = pattern[end];
  const isLazy = suffix === "?";
  const isPossessive = suffix === "+";
  return { min, max, isLazy, isPossessive, end: isLazy || isPossessive ? end + 1 : end };
}

/** Puts a quantifier on a piece; a possessive one uses the JavaScript group of the given number. */
export function applyRepeat(piece: Piece, repeat: Repeat, group: number): Piece {
  const upper = repeat.max === Number.POSITIVE_INFINITY ? "" : String(repeat.max);
  const quantifier = `{${repeat.min},${upper}}${repeat.isLazy ? "?" : ""}`;
  const source = `(?:${piece.source})${quantifier}`;
  return {
    source: repeat.isPossessive ? `(?:(?=(${source}))\\${group})` : source,
    min: piece.min * repeat.min,
    max: piece.max === 0 ? 0 : piece.max * repeat.max,
  };
}
