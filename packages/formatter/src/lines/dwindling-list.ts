import { NONE } from "../syntax/tree.ts";

/** A list that loses entries, mostly at its end, and of which can be asked later what it held before. */
export class DwindlingList {
  readonly #left: number[];
  /** In the order in which they were taken out. */
  readonly #out: number[] = [];

  /** @param entries belong to the list from now on */
  constructor(entries: number[]) {
    this.#left = entries;
  }

  get isEmpty(): boolean {
    return this.#left.length === 0;
  }

  push(entry: number): void {
    this.#left.push(entry);
  }

  /** Those that it holds and for which the test holds. */
  filter(test: (entry: number) => boolean): DwindlingList {
    return new DwindlingList(this.#left.filter(test));
  }

  /** Takes out those of `last` that stand at the end, and those of `near`, which stand near it. */
  takeOut(last: ReadonlySet<number>, near: ReadonlySet<number>): void {
    const left = this.#left;
    while (last.has(left.at(-1) ?? NONE)) this.#out.push(left.pop()!);
    let missing = near.size;
    for (let at = left.length - 1; at >= 0 && missing > 0; at--) {
      if (!near.has(left[at]!)) continue;
      this.#out.push(...left.splice(at, 1));
      missing--;
    }
  }

  /** Tells of what the list holds now, whenever it is called, whether the test holds for any of it. */
  anyOfThese(): (test: (entry: number) => boolean) => boolean {
    const from = this.#out.length;
    return (test) => {
      // What was taken out first stood at the end, near to what a split prints.
      for (let at = from; at < this.#out.length; at++) if (test(this.#out[at]!)) return true;
      return this.#left.findLastIndex(test) !== -1;
    };
  }
}
