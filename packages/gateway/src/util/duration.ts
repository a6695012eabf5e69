const seconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, mo: 2_592_000, y: 31_536_000 } as const;

/** Texts that `parseDuration` reads, as a regular expression. */
export const DURATION = "^\\s*(?=\\d{1,9}\\D)0*[1-9]\\d*(s|m|h|d|w|mo|y)\\s*$";

/**
 * Milliseconds of a length of time as LiteLLM writes it: `30s`, `15m`, `12h`, `30d`, `2w`, `1mo` (30 days), `1y`;
 * `undefined` when the text is none.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(s|m|h|d|w|mo|y)$/.exec(text.trim());
  if (match === null) return undefined;
  const length = Number(match[1]) * seconds[match[2] as keyof typeof seconds] * 1000;
  return length > 0 ? length : undefined;
}
