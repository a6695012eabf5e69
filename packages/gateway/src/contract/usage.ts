/** Tokens of one call, as the provider counted them. `input` includes what was read from or written to a cache. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Part of `output` spent on reasoning. */
  readonly reasoning: number;
  /** Part of `cacheWrite` that is kept for an hour; absent where nothing is. */
  readonly cacheWriteLong?: number;
  /** Part of `input` that is sound; absent where nothing is. */
  readonly inputAudio?: number;
  /** Part of `output` that is sound; absent where nothing is. */
  readonly outputAudio?: number;
  /** The tier that served the call (`flex`, `priority`, `batch`, ...); absent for the standard one. */
  readonly serviceTier?: string;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** What two calls used; what is absent where nothing is stays as the first one has it. */
export function sumOfUsage(one: Usage, other: Usage): Usage {
  return {
    ...one,
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    reasoning: one.reasoning + other.reasoning,
  };
}
