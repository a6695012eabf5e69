const MAX_NAMES = 5000;

/** How many requests came, by path and by model. */
export class Counters {
  #total = 0;
  #paths = new Map<string, number>();
  #models = new Map<string, number>();

  countPath(path: string): void {
    this.#total += 1;
    increment(this.#paths, path);
  }

  countModel(model: string): void {
    increment(this.#models, model);
  }

  /** All counts as plain objects. */
  snapshot(): { total: number; paths: Record<string, number>; models: Record<string, number> } {
    return {
      total: this.#total,
      paths: Object.fromEntries(this.#paths),
      models: Object.fromEntries(this.#models),
    };
  }

  reset(): void {
    this.#total = 0;
    this.#paths.clear();
    this.#models.clear();
  }
}

// Ids in paths would let the table grow without end, so late names share one row.
function increment(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MAX_NAMES ? name : "(other)";
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
