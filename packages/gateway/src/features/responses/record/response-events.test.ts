import fc from "fast-check";
import { expect, it } from "vitest";
import { withResponse, withResponses } from "./response-events.ts";

async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

/** Events with what becomes of them; the same where they carry no response. */
const events = [
  [
    'data: {"type":"response.created","response":{"id":"theirs"}}',
    'event: response.created\ndata: {"type":"response.created","response":{"id":"ours"}}',
  ],
  [
    'event: x\ndata: {"type":"x","\\u0072esponse":{"id":"theirs"}}',
    'event: x\ndata: {"type":"x","response":{"id":"ours"}}',
  ],
  ['data: {"type":"x","delta":"the \\"response\\" \\u00fc 🙂"}'],
  ['data: {"type":"x","response":"none"}'],
  [": a comment"],
  ["data: [DONE]"],
] as const;

it("puts other responses into a stream however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...events), { minLength: 1 }),
      fc.constantFrom("\n", "\r\n"),
      fc.array(fc.nat(150)),
      async (list, lineEnd, sizes) => {
        const wire = (text: string): string => `${text}\n\n`.replaceAll("\n", lineEnd);
        const bytes = Buffer.from(list.map(([before]) => wire(before)).join(""));
        const pieces: Uint8Array[] = [];
        for await (const piece of withResponses(inChunks(bytes, sizes), (event, response) =>
          withResponse(event, { ...response, id: "ours" }),
        ))
          pieces.push(piece);
        // A chunk that ends within a CR LF leaves another blank line, which means nothing.
        const read = (text: string): string =>
          lineEnd === "\n" ? text : text.replaceAll("\r\n", "\n").replaceAll(/\n{2,}/g, "\n\n");
        // What takes an event's place is written with line feeds.
        const expected = list.map(([before, after]) => (after === undefined ? wire(before) : `${after}\n\n`));
        expect(read(Buffer.concat(pieces).toString())).toBe(read(expected.join("")));
      },
    ),
  );
});
