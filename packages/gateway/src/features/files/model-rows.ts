import { isJsonObject } from "../../contract/json.ts";
import { isBlank, MAX_LINE } from "./batch-input.ts";
import { linesOf } from "./split-lines.ts";

/** The lines of a batch input file with another model in each request. */
export async function* withModel(source: AsyncIterable<Buffer>, model: string): AsyncGenerator<Buffer> {
  for await (const { bytes } of linesOf(source, MAX_LINE)) {
    if (isBlank(bytes)) continue;
    const row: unknown = JSON.parse(bytes.toString("utf8"));
    if (isJsonObject(row) && isJsonObject(row.body)) row.body.model = model;
    yield Buffer.from(`${JSON.stringify(row)}\n`);
  }
}

/** Bytes that a stream has in all. */
export async function lengthOf(source: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const chunk of source) length += chunk.length;
  return length;
}
