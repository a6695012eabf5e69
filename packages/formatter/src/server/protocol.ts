/**
 * The protocol of Black's daemon, so that editors that know `blackd` work unchanged
 * (Black: docs/usage_and_configuration/black_as_a_server, `blackd/__init__.py`).
 */
export const requestHeaders = [
  "X-Protocol-Version",
  "X-Line-Length",
  "X-Python-Variant",
  "X-Skip-Source-First-Line",
  "X-Skip-String-Normalization",
  "X-Skip-Magic-Trailing-Comma",
  "X-Preview",
  "X-Unstable",
  "X-Enable-Unstable-Feature",
  "X-Fast-Or-Safe",
  "X-Diff",
] as const;

/** Names the style version in every answer that got as far as formatting. */
export const versionHeader = "X-Black-Version";

/** A request header holds a value that cannot be understood; the message is the answer's body. */
export class HeaderError extends Error {
  override name = "HeaderError";
}
