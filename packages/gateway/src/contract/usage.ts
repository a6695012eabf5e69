/** Tokens of one call, as the provider counted them. `input` includes what was read from or written to a cache. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Part of `output` spent on reasoning. */
  readonly reasoning: number;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
