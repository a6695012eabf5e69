/** Every expression of the length that could stand for a magic is in the cell already, or stands for another one. */
export class NoMaskError extends Error {
  override name = "NoMaskError";
}

/** More than the magics that IPython rewrites in one cell, and what the cell itself may hold. */
const MOST_ATTEMPTS = 5000;

/**
 * An expression of exactly `length` characters that `isTaken` does not know: a bytes literal, so that it is never
 * taken for a docstring, or a name where that does not fit (Black: create_token, get_token).
 * Masks are counted, not random, so that formatting a notebook is reproducible.
 *
 * @param count of the masks that there are already, most of which come before the first free one
 * @throws {NoMaskError}
 */
export function createMask(length: number, count: number, isTaken: (mask: string) => boolean): string {
  const masks = Math.min(masksOf(length), MOST_ATTEMPTS);
  for (let attempt = 0; attempt < masks; attempt++) {
    const mask = maskOf(length, (count + attempt) % masks);
    if (!isTaken(mask)) return mask;
  }
  throw new NoMaskError(`no mask of ${length} characters is left`);
}

const LETTERS = "ZQXJKVWYzqxjkvwyABCDEFGHILMNOPRSTUabcdefghilmnoprstu";
const NAME_CHARACTERS = `${LETTERS}0123456789_`;

/** How many masks of the length there are. */
function masksOf(length: number): number {
  if (length === 1) return LETTERS.length;
  return length < 4 ? NAME_CHARACTERS.length ** (length - 1) : 16 ** (length - 3);
}

function maskOf(length: number, attempt: number): string {
  if (length < 4) return nameOf(length, attempt);
  // Odd, so that no two of the last digits are the same before all have been.
  const digits = (0x9e3779b1 * (attempt + 1)).toString(16).padStart(length - 3, "0");
  return `b"${digits.slice(-(length - 3))}"`;
}

/** One letter, or an underscore and other characters. */
function nameOf(length: number, attempt: number): string {
  if (length === 1) return LETTERS[attempt]!;
  let name = "_";
  for (let rest = attempt; name.length < length; rest = Math.floor(rest / NAME_CHARACTERS.length))
    name += NAME_CHARACTERS[rest % NAME_CHARACTERS.length]!;
  return name;
}
