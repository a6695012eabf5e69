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

/**
 * Months of the calendar that a length of time stands for: `1mo` and `30d` are one (as at LiteLLM), `2mo` two, `1y` twelve;
 * `undefined` when it stands for none.
 */
export function parseMonths(text: string): number | undefined {
  const match = /^(\d{1,9})(mo|y)$/.exec(text.trim());
  if (match === null) return parseDuration(text) === seconds.mo * 1000 ? 1 : undefined;
  const months = Number(match[1]) * (match[2] === "y" ? 12 : 1);
  return months > 0 ? months : undefined;
}
