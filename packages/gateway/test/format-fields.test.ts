import { describe, expect, it } from "vitest";
import { GatewayError } from "../src/contract/errors.ts";
import type { JsonObject } from "../src/contract/json.ts";
import { object, type Schema } from "../src/contract/schema.ts";
import { readResponseRequest } from "../src/features/responses/input/create-request.ts";
import { chatFields } from "../src/formats/chat/fields.ts";
import { chatToCallOptions } from "../src/formats/chat/to-call-options.ts";
import { embeddingFields } from "../src/formats/embeddings/fields.ts";
import { readEmbeddingRequest } from "../src/formats/embeddings/read-request.ts";
import { geminiFields } from "../src/formats/gemini/fields.ts";
import { geminiToCallOptions } from "../src/formats/gemini/to-call-options.ts";
import { messagesFields } from "../src/formats/messages/fields.ts";
import { messagesToCallOptions } from "../src/formats/messages/to-call-options.ts";
import { responsesFields } from "../src/formats/responses/fields.ts";
import { responsesToCallOptions } from "../src/formats/responses/to-call-options.ts";
import { fitting, misfits } from "./support/fitting-values.ts";

/** How each format's requests are read for providers of another format, and what that leaves unread. */
const formats: readonly {
  readonly name: string;
  readonly fields: object;
  readonly read: (body: JsonObject) => unknown;
  /** What a request needs beside the field that is looked at. */
  readonly needed: JsonObject;
  /** Read before, by routing and streaming, or of no effect at another provider. */
  readonly unread: readonly string[];
  /** Members of messages that only messages of a role have. */
  readonly ofRoles?: Readonly<Record<string, string>>;
  /** Fields that no other provider has anything like. */
  readonly refused?: readonly string[];
  /** Fields whose errors name the whole of them. */
  readonly whole?: readonly string[];
}[] = [
  {
    name: "chat",
    fields: chatFields,
    read: chatToCallOptions,
    needed: { messages: [{ role: "user", content: "Hello" }] },
    unread: [
      ...["model", "stream", "stream_options", "modalities", "audio"],
      // These travel as they are, and only OpenAI's models read them.
      ...["logit_bias", "logprobs", "top_logprobs", "metadata", "store", "verbosity", "prediction"],
      ...["prompt_cache_key", "prompt_cache_retention"],
    ],
    ofRoles: { "messages.0.tool_calls": "assistant", "messages.0.tool_call_id": "tool" },
  },
  {
    name: "messages",
    fields: messagesFields,
    read: messagesToCallOptions,
    needed: { messages: [{ role: "user", content: "Hello" }], max_tokens: 5 },
    // A thread is refused whatever it is, so that the caller sends the whole conversation.
    unread: ["model", "stream", "container", "context_management", "mcp_servers", "thread"],
  },
  {
    name: "responses",
    fields: responsesFields,
    read: (body) => [readResponseRequest(body), responsesToCallOptions(body)],
    needed: { input: "Hello" },
    unread: [
      ...["model", "stream_options", "max_tool_calls", "include", "prompt", "top_logprobs"],
      ...["prompt_cache_key", "prompt_cache_retention", "context_management", "client_metadata"],
    ],
  },
  {
    name: "gemini",
    fields: geminiFields,
    read: geminiToCallOptions,
    needed: { contents: [{ parts: [{ text: "Hello" }] }] },
    unread: [],
    refused: ["cachedContent"],
  },
  {
    name: "embeddings",
    fields: embeddingFields,
    read: readEmbeddingRequest,
    needed: { input: "Hello" },
    unread: ["model", "user"],
    whole: ["input"],
  },
];

describe.each(formats)("The reader of $name and the table of its fields", (format) => {
  const { fields, read, needed, unread, ofRoles = {}, whole = [], refused = [] } = format;
  const { properties } = object(fields as Record<string, Schema>);
  const refusal = (body: JsonObject): string | undefined => {
    try {
      read(body);
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return error.param;
    }
  };

  it("name no field as unread that is not there", () => {
    expect(unread.filter((name) => !(name in properties!))).toEqual([]);
  });

  it.each(Object.entries(properties!).filter(([name]) => !unread.includes(name)))(
    "agree on %s",
    (name, schema) => {
      const ofFitting = refused.includes(name) ? name : undefined;
      expect(refusal({ ...needed, [name]: fitting(schema) })).toBe(ofFitting);
      for (const { path, value } of misfits(schema, name)) {
        const [, role] = Object.entries(ofRoles).find(([member]) => path.startsWith(member)) ?? [];
        const sent = role === undefined ? value : [{ ...(value as object[])[0], role }];
        const expected = whole.includes(name) ? name : path;
        expect([path, sent, refusal({ ...needed, [name]: sent })]).toEqual([path, sent, expected]);
      }
    },
  );

  it.each(unread)("leave %s alone", (name) => {
    const taken = misfits(properties![name]!, name).filter(
      ({ value }) => refusal({ ...needed, [name]: value }) === undefined,
    );
    expect(name === "thread" || taken.length > 0).toBe(true);
  });
});
