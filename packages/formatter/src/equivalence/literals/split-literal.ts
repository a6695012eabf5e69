/** A string literal taken apart. */
export interface SplitLiteral {
  readonly isRaw: boolean;
  readonly isBytes: boolean;
  /** `f` or `t` when the literal holds replacement fields. */
  readonly interpolation: "" | "f" | "t";
  /** What stands between the quotes. */
  readonly body: string;
  /** Offset of the body in the literal. */
  readonly bodyStart: number;
}

/** Splits a literal into prefix and body. */
export function splitLiteral(text: string): SplitLiteral {
  let at = 0;
  let isRaw = false;
  let isBytes = false;
  let interpolation: "" | "f" | "t" = "";
  for (; ; at++) {
    const letter = text[at];
    if (letter === '"' || letter === "'") break;
    if (letter === "r" || letter === "R") isRaw = true;
    else if (letter === "b" || letter === "B") isBytes = true;
    else if (letter === "f" || letter === "F") interpolation = "f";
    else if (letter === "t" || letter === "T") interpolation = "t";
    else if (letter === undefined) break;
  }
  const quote = text[at];
  const isTriple = text.length >= at + 6 && text[at + 1] === quote && text[at + 2] === quote;
  const length = isTriple ? 3 : 1;
  return {
    isRaw,
    isBytes,
    interpolation,
    body: text.slice(at + length, text.length - length),
    bodyStart: at + length,
  };
}
