import { redact } from "../../platform/log/redact.ts";

/** An unexpected failure in words that callers may read: without secrets, addresses and paths. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return redact(text)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi, "<address>")
    .replace(/(?:\/[\w.@-]+){2,}\/?/g, "<path>")
    .slice(0, 500);
}
