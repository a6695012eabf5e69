import { redact } from "./redact.ts";

/** An error and its causes in one redacted line, with the place of the innermost in the program. */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  let stack: string | undefined;
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth++) {
    if (!(current instanceof Error)) {
      parts.push(String(current));
      break;
    }
    parts.push(`${current.name}: ${current.message}`);
    stack = current.stack?.split("\n").find((line) => line.includes(" at ")) ?? stack;
    current = current.cause;
  }
  const place = stack === undefined ? "" : ` (${stack.trim()})`;
  return redact(parts.join(" <- ")) + place;
}
