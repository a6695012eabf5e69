const kinds = [
  "status",
  "hang",
  "slow",
  "cut",
  "garbage",
  "oversized",
  "disconnect",
  "empty",
  "stall",
  "error-event",
] as const;

/** What goes wrong; the README describes each. */
type FaultKind = (typeof kinds)[number];

/** One thing that goes wrong with an answer. */
export interface Fault {
  readonly kind: FaultKind;
  /** HTTP status of kind `status`. */
  readonly status?: number;
  /** Seconds in the `retry-after` header of kind `status`. */
  readonly retryAfter?: number;
  /** Body bytes after which `cut` destroys the socket, or the size of an `oversized` answer. */
  readonly bytes?: number;
  /** Pause between pieces of a `slow` answer, in milliseconds. */
  readonly ms?: number;
  /** Error text of kind `status`. */
  readonly message?: string;
}

/**
 * Reads the notation of the header `x-sim-fault` and the directive `[[sim:fault ...]]`:
 * `status=429;retry-after=2`, `cut=120`, `hang`, ... Gives undefined for what it does not know.
 */
export function parseFault(text: string): Fault | undefined {
  const [head = "", ...options] = text.split(";").map((part) => part.trim());
  const [name = "", value] = splitPair(head);
  const kind = kinds.find((known) => known === name);
  if (kind === undefined) return undefined;
  const fault: { -readonly [K in keyof Fault]: Fault[K] } = { kind };
  const amount = value === undefined ? undefined : Number(value);
  if (kind === "status") {
    if (amount === undefined || !(amount >= 400 && amount <= 599)) return undefined;
    fault.status = amount;
  } else if (amount !== undefined && amount >= 0) {
    if (kind === "slow") fault.ms = amount;
    else fault.bytes = amount;
  }
  for (const option of options) {
    const [key, setting = ""] = splitPair(option);
    if (key === "retry-after" && Number(setting) >= 0) fault.retryAfter = Number(setting);
    if (key === "ms" && Number(setting) >= 0) fault.ms = Number(setting);
    if (key === "bytes" && Number(setting) >= 0) fault.bytes = Number(setting);
    if (key === "message") fault.message = setting;
  }
  return fault;
}

function splitPair(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
