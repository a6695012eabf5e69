import { describe, expect, it, vi } from "vitest";

const slices: string[] = [];
vi.mock("gpt-tokenizer/encoding/o200k_base", async (original) => {
  const real = await original<typeof import("gpt-tokenizer/encoding/o200k_base")>();
  return {
    ...real,
    countTokens: (text: string, options: object) => {
      slices.push(text);
      return real.countTokens(text, options);
    },
  };
});
const { textTokens } = await import("./text-tokens.ts");

const seeded = (alphabet: string, length: number): string => {
  let state = 7;
  const next = (): number => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state;
  };
  return Array.from({ length }, () => alphabet[next() % alphabet.length]).join("");
};

/** What the encoder would take for one word: its time grows with the square of the longest. */
const longestWord = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\s+|[\p{L}\p{M}]+|[^\s\p{L}\p{M}\p{N}]+/gu)].map(([run]) => run.length));

const hostile = {
  spaces: " ".repeat(100_000),
  newlines: "\n".repeat(100_000),
  tabs: "\t".repeat(100_000),
  "no-break spaces": "\u00a0".repeat(100_000),
  "one letter": "a".repeat(100_000),
  "long words": `${seeded("abcdefghij", 1990)} `.repeat(50),
  "capitals without an end": seeded("ABCDEFGH", 100_000),
  signs: seeded("!?.,;:-_#*", 100_000),
  ideographs: seeded("漢字仮名交文日本語", 100_000),
  "combining marks": `e${"\u0301".repeat(99_999)}`,
  "pairs of surrogates": "😀".repeat(50_000),
};

describe("textTokens", () => {
  it.each(Object.entries(hostile))("hands %s to the encoder in short words and slices", async (_, text) => {
    slices.length = 0;
    expect(await textTokens([text])).toBeGreaterThan(0);
    expect(Math.max(...slices.map(longestWord))).toBeLessThanOrEqual(82);
    expect(Math.max(...slices.map((slice) => slice.length))).toBeLessThanOrEqual(2049);
    expect(slices.join("")).toBe(text);
  });

  it("lets the event loop turn between slices", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await textTokens([seeded("abc def, ", 200_000)]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it("counts a part of very long texts and takes the rest to be like it", async () => {
    const text = "The quick brown fox jumps over the lazy dog. ";
    const whole = await textTokens([text.repeat(1000)]);
    slices.length = 0;
    const long = await textTokens(Array.from({ length: 100 }, () => text.repeat(1000)));
    expect(long / (whole * 100)).toBeGreaterThan(0.98);
    expect(long / (whole * 100)).toBeLessThan(1.02);
    expect(slices.join("").length).toBeLessThan(1_100_000);
  });
});
