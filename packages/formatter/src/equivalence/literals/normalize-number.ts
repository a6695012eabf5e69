/** A number's spelling without what Black may change in it: case, a plus in the exponent, and a zero before or after the point. */
export function normalizeNumber(text: string): string {
  const lower = text.toLowerCase().replace("e+", "e");
  if (!lower.includes(".")) return lower;
  return lower.replace(/^\./, "0.").replace(/\.(?!\d)/, ".0");
}
