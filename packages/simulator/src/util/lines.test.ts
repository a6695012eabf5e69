import { expect, test } from "vitest";
import { linesOf } from "./lines.ts";

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

test("lines are the same however the bytes are cut, and only LF ends one", async () => {
  const bytes = Buffer.from("one\r\nzwö\u2028lf\n\n🎉");
  for (let size = 1; size <= bytes.length; size++) {
    const lines: string[] = [];
    for await (const line of linesOf(chunks(bytes, size))) lines.push(line);
    expect(lines).toEqual(["one", "zwö\u2028lf", "", "🎉"]);
  }
});
