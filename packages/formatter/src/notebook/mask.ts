/**
 * An expression of exactly `length` characters that `isTaken` does not know: a bytes literal, so that it is never
 * taken for a docstring, or a name where that does not fit (Black: create_token, get_token).
 * Masks are counted, not random, so that formatting a notebook is reproducible.
 */
export function createMask(length: number, isTaken: (mask: string) => boolean): string {
  for (let attempt = 0; ; attempt++) {
    const mask = maskOf(length, attempt);
    if (!isTaken(mask)) return mask;
  }
}

function maskOf(length: number, attempt: number): string {
  if (length < 4) return name(length, attempt);
  const digits = (0x9e3779b1 * (attempt + 1)).toString(16).padStart(length - 3, "0");
  return `b"${digits.slice(-(length - 3))}"`;
}

const letters = "ZQXJKVWYzqxjkvwyABCDEFGHILMNOPRSTUabcdefghilmnoprstu";

/** One letter, or an underscore and letters; past the last one, names grow longer rather than repeat. */
function name(length: number, attempt: number): string {
  const letter = letters[attempt % letters.length]!;
  const wraps = Math.floor(attempt / letters.length);
  if (length === 1) return letter + "_".repeat(wraps);
  return `_${letter.repeat(length - 1)}${"_".repeat(wraps)}`;
}
