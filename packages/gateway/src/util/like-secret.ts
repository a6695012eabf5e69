import { editDistance } from "./nearest-name.ts";

/** What names of secrets have in them, where they are spelt right. */
const WORDS = [
  ...["token", "secret", "cookie", "bearer"],
  ...["apikey", "password", "passphrase", "credential", "credentials", "authorization"],
];
/** `key` is too short to compare by letters: what fingers make of it. */
const LIKE_KEY = /^(?:ke|ky|kay|kery|kwy|jey|ley|kye|eky|kry)$|kye$/;

/**
 * Whether a name looks like the misspelt one of a secret, such as `api_kye` or `pasword`: whatever stands there was meant
 * to be one.
 */
export function isLikeSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const pairs = words.slice(1).map((word, index) => words[index]! + word);
  return [...words, ...pairs].some(
    (word) => LIKE_KEY.test(word) || WORDS.some((known) => isNear(word, known)),
  );
}

function isNear(word: string, known: string): boolean {
  const limit = known.length < 8 ? 1 : 2;
  if (Math.abs(word.length - known.length) > limit) return false;
  return editDistance(word, known) <= limit || isSwapped(word, known);
}

/** Whether two letters beside each other have changed places. */
function isSwapped(word: string, known: string): boolean {
  const at = [...known].findIndex((letter, index) => letter !== word[index]);
  const swapped = known.slice(0, at) + (known[at + 1] ?? "") + (known[at] ?? "") + known.slice(at + 2);
  return at !== -1 && swapped === word;
}
