/** What names of secrets have in them, as the text of a regular expression. Much else has, too: `max_tokens`, `key_alias`. */
export const SECRET_WORDS = "key|token|secret|passw|passphrase|pwd|credential|authorization|bearer|cookie";

/** Where no more is at stake than a name that is shown or not. */
const mayBeSecret = new RegExp(SECRET_WORDS, "i");

/** Whether a name may be one of a secret; for places where nothing else is lost by hiding what stands there. */
export function mayNameSecret(name: string): boolean {
  return mayBeSecret.test(name);
}

/** A `key` by itself, or a kind that opens something: one of `jira_key` or `cache_key` opens nothing. */
const KEY =
  "(?:api|access|account|auth|encryption|license|master|private|secret|shared|signing|ssh|subscription)[-_]?key";

/**
 * The end of what names a secret, wherever names stand in texts, as the text of a regular expression without regard to
 * case: `key`, `client_secret`, `OPENAI_API_KEY`, `accessToken`, but not `max_tokens` or `monkey`.
 */
export const SECRET_NAME = String.raw`(?:\bkey|(?<![a-z0-9])(?:${KEY}|(?:access|auth|bearer|id|refresh|session)?token|(?:app|client|shared|webhook)?secret|passw(?:or)?d|passphrase|pwd|credentials?|authorization|cookie|sig(?:nature)?))`;

const secretName = new RegExp(`${SECRET_NAME}$`, "i");

/** Whether a name is one of a secret, in any of the spellings of words that follow each other. */
export function namesSecret(name: string): boolean {
  return secretName.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
}
