const MAX_NAMES = 5000;

/** What answers used: what providers bill. */
interface TokenCounts {
  input: number;
  output: number;
}

/** How many requests came, by path and by model, and how many tokens the answers of models had. */
export class Counters {
  #total = 0;
  #paths = new Map<string, number>();
  #models = new Map<string, number>();
  #tokens = new Map<string, TokenCounts>();

  countPath(path: string): void {
    this.#total += 1;
    increment(this.#paths, path);
  }

  countModel(model: string): void {
    increment(this.#models, model);
  }

  /** An answer was made, whether or not it arrives. */
  countTokens(model: string, input: number, output: number): void {
    const key = nameIn(this.#tokens, model);
    const counts = this.#tokens.get(key) ?? { input: 0, output: 0 };
    counts.input += input;
    counts.output += output;
    this.#tokens.set(key, counts);
  }

  /** All counts as plain objects. */
  snapshot(): {
    total: number;
    paths: Record<string, number>;
    models: Record<string, number>;
    tokens: Record<string, TokenCounts>;
  } {
    return {
      total: this.#total,
      paths: Object.fromEntries(this.#paths),
      models: Object.fromEntries(this.#models),
      tokens: Object.fromEntries([...this.#tokens].map(([model, counts]) => [model, { ...counts }])),
    };
  }

  reset(): void {
    this.#total = 0;
    this.#paths.clear();
    this.#models.clear();
    this.#tokens.clear();
  }
}

function increment(counts: Map<string, number>, name: string): void {
  const key = nameIn(counts, name);
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Ids in paths would let a table grow without end, so late names share one row. */
function nameIn(counts: ReadonlyMap<string, unknown>, name: string): string {
  return counts.has(name) || counts.size < MAX_NAMES ? name : "(other)";
}
