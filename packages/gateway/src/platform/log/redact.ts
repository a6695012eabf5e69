import { SECRET_NAME } from "../../util/secret-names.ts";

/** How the usual kinds of keys look, as the text of a regular expression. */
export const KEY_LOOK = String.raw`\b(?:sk|pk|rk|gsk|xai)-[\w-]{6,}|\bAIza[\w-]{10,}`;

/** Names of what is secret, up to the value. Error texts also quote JSON within JSON, where quotes are escaped. */
const named = String.raw`${SECRET_NAME}\\{0,3}["']?\s*[=:]\s*`;

/** With these words sentences go on behind a name ("api_key: must be text"); nobody has them as a key. */
const SENTENCE =
  "must|expected|missing|required|invalid|incorrect|wrong|unknown|not|is|was|has|should|cannot|may|no|none|null|empty|field|extra|unsupported|input|value|string|text|the|a|an|it|this|that|they|too|true|false";

/** What a name stands before: a quoted text, possibly cut off, or a word that no sentence goes on with. */
const value = String.raw`(\\{1,3}["'])[^"'\\]*|(")(?:[^"\\]|\\[^])*|(')(?:[^'\\]|\\[^])*|(?:(?:bearer|basic)\s+)?(?!(?:${SENTENCE})(?:[\s.,;:!?)]|$))[^\s"'&,}]+`;

// Error texts repeat what callers sent: repetitions that begin at every word have an end, so that time grows linearly.
const secrets = new RegExp(
  String.raw`${KEY_LOOK}|\b(?:bearer|basic)\s+[\w.~+/=-]{6,}|(${named})(?:${value})|(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]{1,500}@`,
  "gi",
);

/** A text with what looks like a key, a token or a password in it masked, for logs. */
export function redact(text: string): string {
  return text.replace(
    secrets,
    (_, name = "", escaped = "", double = "", single = "", scheme?: string): string =>
      scheme === undefined ? `${name}${escaped}${double}${single}***` : `${scheme}***@`,
  );
}

const addresses = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/@]{1,500}@)?([^\s/?#"'`]{1,300})\/?[^\s"'`,;]*/gi;

/** A text whose addresses end with their host: what stands before and behind it, as of a webhook, may be a secret. */
export function hostsAlone(text: string): string {
  return text.replace(addresses, "$1$2/***");
}
