/** What property tests and tests with random inputs begin with: the same in every run, or what FAST_CHECK_SEED says. */
export const inputSeed = Number(process.env.FAST_CHECK_SEED ?? 20_261_121);

/**
 * Mulberry32: numbers that look random, the same ones in every run.
 * @returns gives the next whole number from 0 to below the given one, which is at most 2 ** 32
 */
export function randomNumbers(seed = inputSeed): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
