import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readVideoAnswer } from "./video-in-answer.ts";

const video = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));

/** What is read of a text that comes in pieces of so many bytes. */
async function read(text: string, piece: number) {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  );
  const taken: Buffer[] = [];
  const answer = await readVideoAnswer(Readable.from(pieces), "video", async (part) => void taken.push(part));
  return { answer, taken: Buffer.concat(taken) };
}

describe("An answer with a video in it", () => {
  it.each([1, 3, 7, 64, 5000])("is read in pieces of %d bytes", async (piece) => {
    const base64 = video.toString("base64").replaceAll("/", "\\/").replaceAll("=", "\\u003d");
    const text = `{"a":"\\"video\\":\\"é", "videos":[{"video" : "${base64}","mimeType":"video/mp4"},{"video":"AAAA"}],"done":true}`;
    const { answer, taken } = await read(text, piece);
    expect(taken.equals(video)).toBe(true);
    expect(answer).toEqual({
      a: '"video":"é',
      videos: [{ video: "", mimeType: "video/mp4" }, { video: "" }],
      done: true,
    });
  });

  it("may have none", async () => {
    expect(await read('{"done":false}', 4)).toEqual({ answer: { done: false }, taken: Buffer.alloc(0) });
  });

  it.each(['{"video":"AAAA', "[]", "<html>"])("is refused when it is broken: %s", async (text) => {
    await expect(read(text, 5)).rejects.toMatchObject({ status: 502 });
  });

  it("is refused when there is too much beside the video", async () => {
    const text = `{"a":"${"x".repeat(2 ** 20)}"}`;
    await expect(read(text, 65_536)).rejects.toMatchObject({ status: 502, message: /larger than 1 MiB/ });
  });
});
