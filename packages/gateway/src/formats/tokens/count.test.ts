import { describe, expect, it } from "vitest";
import { countTokens } from "./count.ts";
import { anthropicImageTokens, geminiImageTokens, imageSize, openaiImageTokens } from "./image-tokens.ts";

const user = (content: unknown) => ({ role: "user", content });

function png(width: number, height: number): string {
  const head = Buffer.alloc(33);
  head.writeUInt32BE(0x89504e47, 0);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head.toString("base64");
}

describe("countTokens", () => {
  it("counts English text close to four characters a token", async () => {
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(100);
    const tokens = await countTokens({ model: "gpt-5", messages: [user(text)] });
    expect(tokens).toBeGreaterThan(text.length / 6);
    expect(tokens).toBeLessThan(text.length / 3);
  });

  it("counts more with each of system, tools, images, documents and tool results", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png(800, 600) } };
    const pdf = Buffer.from("%PDF-1.4 /Type /Page /Type /Page /Type /Pages").toString("base64");
    const document = {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: pdf },
    };
    const base = { model: "claude-sonnet-5", messages: [user("hello there")] };
    const plain = await countTokens(base);
    const tool = { name: "weather", description: "Weather of a city", input_schema: { type: "object" } };
    expect(await countTokens({ ...base, system: "Be brief and kind." })).toBeGreaterThan(plain);
    expect(await countTokens({ ...base, tools: [tool] })).toBeGreaterThan(plain + 300);
    expect(await countTokens({ ...base, messages: [user([image])] })).toBe(4 + 640);
    expect(await countTokens({ ...base, messages: [user([document])] })).toBe(4 + 4000);
    const result = {
      type: "tool_result",
      tool_use_id: "t",
      content: [{ type: "text", text: "sunny" }, image],
    };
    expect(await countTokens({ ...base, messages: [user([result])] })).toBeGreaterThan(640);
  });

  it("reads chat completions and Responses as well", async () => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: '{"city":"Paris"}' } };
    const chat = {
      model: "gpt-5",
      messages: [user("hi"), { role: "assistant", content: null, tool_calls: [call] }],
    };
    expect(await countTokens(chat)).toBeGreaterThan(10);
    expect(await countTokens({ model: "gpt-5", instructions: "Be brief.", input: "hello" })).toBeGreaterThan(
      4,
    );
  });

  it("treats control tokens as text and stays quick on runs without spaces", async () => {
    expect(await countTokens({ messages: [user("<|endoftext|>")] })).toBeGreaterThan(4);
    expect(await countTokens({ messages: [user("a".repeat(300_000))] })).toBeGreaterThan(10_000);
  });

  it("counts hostile shapes without failing", async () => {
    expect(
      await countTokens({ messages: [null, 3, user([null, 7, { type: "image" }]), user({})], tools: {} }),
    ).toBeGreaterThan(0);
  });
});

describe("image tokens", () => {
  it("follow the published formulas", () => {
    expect(anthropicImageTokens({ width: 1000, height: 1000 })).toBe(1334);
    expect(openaiImageTokens({ width: 1024, height: 1024 })).toBe(765);
    expect(openaiImageTokens({ width: 2048, height: 4096 })).toBe(1105);
    expect(openaiImageTokens({ width: 4096, height: 4096 }, "low")).toBe(85);
    expect(geminiImageTokens({ width: 300, height: 300 })).toBe(258);
    expect(geminiImageTokens({ width: 960, height: 540 })).toBe(516);
  });

  it("read the size from the head of a picture", () => {
    expect(imageSize(png(640, 480))).toEqual({ width: 640, height: 480 });
    const gif = Buffer.alloc(30);
    gif.write("GIF89a", "latin1");
    gif.writeUInt16LE(20, 6);
    gif.writeUInt16LE(10, 8);
    expect(imageSize(gif.toString("base64"))).toEqual({ width: 20, height: 10 });
    const jpeg = Buffer.alloc(40);
    jpeg.set([0xff, 0xd8, 0xff, 0xe0, 0, 6, 0, 0, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 50, 0, 60]);
    expect(imageSize(jpeg.toString("base64"))).toEqual({ width: 60, height: 50 });
    expect(imageSize("bm90IGEgcGljdHVyZSBidXQgbG9uZyBlbm91Z2ggdG8gbG9vayBhdA==")).toBeUndefined();
  });
});
