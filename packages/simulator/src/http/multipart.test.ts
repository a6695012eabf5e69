import { expect, test } from "vitest";
import { formParts, partText } from "./multipart.ts";

const body = Buffer.from(
  [
    "--mark",
    'Content-Disposition: form-data; name="purpose"',
    "",
    "batch",
    "--mark",
    'Content-Disposition: form-data; name="file"; filename="rows.jsonl"',
    "Content-Type: application/jsonl",
    "",
    "line one\r\n--mar not the end\r\n",
    "--mark--",
    "",
  ].join("\r\n"),
);

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(bytes: Buffer, size: number) {
  const parts = [];
  for await (const part of formParts(chunks(bytes, size), "multipart/form-data; boundary=mark")) {
    parts.push([part.name, part.filename, part.contentType, await partText(part)]);
  }
  return parts;
}

test("parts are the same however the body is cut", async () => {
  for (let size = 1; size <= body.length; size++) {
    expect(await read(body, size)).toEqual([
      ["purpose", undefined, undefined, "batch"],
      ["file", "rows.jsonl", "application/jsonl", "line one\r\n--mar not the end\r\n"],
    ]);
  }
});

test("a body that ends early is refused", async () => {
  await expect(read(body.subarray(0, 100), 7)).rejects.toMatchObject({ status: 400 });
});
