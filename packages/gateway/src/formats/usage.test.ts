import { describe, expect, it } from "vitest";
import {
  fromNeutralUsage,
  readChatUsage,
  readMessagesUsage,
  toNeutralUsage,
  writeChatUsage,
} from "./usage.ts";

describe("usage", () => {
  it("of chat completions says how much was sound", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 10, audio_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 40 },
    };
    const read = readChatUsage(usage)!;
    expect(read).toMatchObject({ input: 100, output: 50, cacheRead: 10, inputAudio: 60, outputAudio: 40 });
    expect(writeChatUsage(read)).toMatchObject(usage);
  });

  it("of messages says what is cached for an hour, also where only the stream's start does", () => {
    const start = readMessagesUsage({
      input_tokens: 10,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    });
    expect(start).toMatchObject({ input: 310, cacheWrite: 300, cacheWriteLong: 200 });
    expect(readMessagesUsage({ output_tokens: 7 }, start)).toMatchObject({ output: 7, cacheWriteLong: 200 });
    expect(readMessagesUsage({ input_tokens: 1 })).not.toHaveProperty("cacheWriteLong");
  });

  it("keeps these on the way through the neutral model, and reads Google's sound there", () => {
    const usage = {
      input: 310,
      output: 7,
      cacheRead: 0,
      cacheWrite: 300,
      reasoning: 0,
      cacheWriteLong: 200,
      inputAudio: 3,
    };
    expect(fromNeutralUsage(toNeutralUsage(usage))).toEqual(usage);
    const google = toNeutralUsage({ input: 50, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
    const raw = {
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 9 },
        { modality: "AUDIO", tokenCount: 41 },
      ],
    };
    expect(fromNeutralUsage({ ...google, raw })).toMatchObject({ input: 50, inputAudio: 41 });
  });
});
