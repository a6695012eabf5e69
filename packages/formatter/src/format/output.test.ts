import { describe, expect, test } from "vitest";
import { LinesBlock } from "../lines/blank-lines/lines-block.ts";
import { Output } from "./output.ts";

/** More pieces than wait at once, several times over. */
const MANY = 10_000;

function block(before: number, mayGrow = false): LinesBlock {
  const made = new LinesBlock(before, 0, false);
  made.mayGrow = mayGrow;
  return made;
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");
}

describe("The output of a long source", () => {
  test("is all its pieces in order", () => {
    const output = new Output("");
    for (let i = 0; i < MANY; i++) {
      output.begin(block(0));
      output.write(`line ${i}`);
    }
    expect(output.isEmpty()).toBe(false);
    expect(output.text()).toBe(lines(MANY));
  });

  test("has the blank lines that were added above a comment long after", () => {
    const output = new Output("");
    output.begin(block(0));
    output.write("first");
    const growing = block(0, true);
    output.begin(growing);
    output.write("# comment");
    for (let i = 0; i < MANY; i++) {
      output.begin(block(0));
      output.write(`line ${i}`);
    }
    growing.before = 2;
    expect(output.text()).toBe(`first\n\n\n# comment\n${lines(MANY)}`);
  });

  test("is the source where that is the same, whole or up to its last blank lines", () => {
    const source = lines(MANY);
    for (const rest of ["", "\n\n"]) {
      const output = new Output(source + rest);
      for (let i = 0; i < MANY; i++) {
        output.begin(block(0));
        output.write(`line ${i}`);
      }
      expect(output.text()).toBe(source);
    }
  });

  test("takes ranges of the source and texts in turns", () => {
    const source = lines(MANY);
    const output = new Output(source);
    let start = 0;
    for (let i = 0; i < MANY; i++) {
      const line = `line ${i}`;
      output.begin(block(0));
      if (i % 3 === 0 && i > MANY / 2) output.write(line.toUpperCase());
      else output.writeRange(start, start + line.length);
      start += line.length + 1;
    }
    const expected = source.replace(/line (\d+)/g, (line, i) =>
      Number(i) % 3 === 0 && Number(i) > MANY / 2 ? line.toUpperCase() : line,
    );
    expect(output.text()).toBe(expected);
  });
});
