/** Terminal styles that messages use. */
export type Style = "bold" | "red" | "blue" | "yellow";

const codes: Readonly<Record<Style, number>> = { bold: 1, red: 31, blue: 34, yellow: 33 };

/** Whether colours are wanted at all (https://no-color.org). */
export function areColorsAllowed(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.NO_COLOR === undefined;
}

/** The text in the given styles. */
export function styled(text: string, ...styles: Style[]): string {
  const opening = styles.map((style) => `\u001b[${codes[style]}m`).join("");
  return `${opening}${text}\u001b[0m`;
}
