// Error texts repeat what callers sent: repetitions that begin at every word have an end, so that time grows linearly.
const secrets =
  /\b(?:sk|pk|rk|gsk|xai)-[\w-]{6,}|\bAIza[\w-]{10,}|\b(?:bearer|basic)\s+[\w.~+/=-]{6,}|([?&"']?\b(?:api[-_]?key|key|token|sig|secret|password|authorization)["']?\s*[=:]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"'&,}]+|(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]{1,500}@/gi;

/** A text with what looks like a key, a token or a password in it masked, for logs. */
export function redact(text: string): string {
  return text.replace(secrets, (_, name?: string, scheme?: string) =>
    scheme === undefined ? `${name ?? ""}***` : `${scheme}***@`,
  );
}
