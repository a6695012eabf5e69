import { describe, expect, it } from "vitest";
import { callNotes } from "./call-notes.ts";

const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "secret" }] };

describe("What a request tells of itself", () => {
  it.each<[string, object, readonly string[]]>([
    [
      "Messages",
      {
        messages: [
          { role: "assistant", content: [{ type: "tool_use", name: "Old", input: {} }] },
          result,
          {
            role: "assistant",
            content: [
              { type: "text", text: "name" },
              { type: "tool_use", name: "Bash", input: { command: "secret" } },
              { type: "server_tool_use", name: "web_search", input: { query: "secret" } },
              { type: "tool_use", name: "Bash", input: {} },
            ],
          },
          result,
        ],
      },
      ["Bash", "web_search", "Bash"],
    ],
    [
      "chat completions",
      {
        messages: [
          {
            role: "assistant",
            tool_calls: [
              { type: "function", function: { name: "read", arguments: "secret" } },
              { type: "custom", custom: { name: "patch", input: "secret" } },
            ],
          },
          { role: "tool", content: "secret" },
        ],
      },
      ["read", "patch"],
    ],
    [
      "Responses",
      {
        input: [
          { type: "function_call", name: "old", arguments: "" },
          { role: "user", content: "go on" },
          { type: "function_call", name: "exec", arguments: "secret" },
          { type: "local_shell_call", action: { command: ["secret"] } },
          { type: "function_call_output", output: "secret" },
        ],
      },
      ["exec", "local_shell_call"],
    ],
    [
      "Gemini",
      {
        contents: [
          { role: "model", parts: [{ functionCall: { name: "look", args: { at: "secret" } } }] },
          { role: "user", parts: [{ functionResponse: { name: "look", response: {} } }] },
        ],
      },
      ["look"],
    ],
  ])("names the tools that ran before it, not what they got: %s", (_, data, tools) => {
    const notes = callNotes(data as Parameters<typeof callNotes>[0]);
    expect(notes).toEqual({ tools, metadata: {} });
  });

  it("is nothing where it names nothing, whatever stands there", () => {
    for (const messages of [undefined, null, [], "hi", [null, 3, "x"], [{ role: "user", content: "hi" }]])
      expect(callNotes({ messages } as Parameters<typeof callNotes>[0])).toBeUndefined();
    expect(
      callNotes({ metadata: { user_id: "a", tags: ["b"], session_id: "c", deep: { a: 1 } } }),
    ).toBeUndefined();
  });

  it("has labels of the caller, short and few", () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`label ${at}`, "x".repeat(1000)]));
    const labels = callNotes({ metadata: many })!.metadata;
    expect(Object.keys(labels)).toHaveLength(16);
    expect(labels["label 0"]).toHaveLength(200);
    expect(
      callNotes({ metadata: { job: "a", spend_logs_metadata: { run: 7, ok: true } } })!.metadata,
    ).toEqual({
      job: "a",
      run: 7,
      ok: true,
    });
  });

  it("has the labels of LiteLLM's fields and of its header, but not whom they name", () => {
    const litellm_metadata = { user: "ada", tags: ["a"], team: "blue", spend_logs_metadata: { run: 7 } };
    const headers = { "x-litellm-spend-logs-metadata": '{"job": "nightly", "deep": {}}' };
    expect(callNotes({ metadata: { step: 1 }, litellm_metadata }, headers)!.metadata).toEqual({
      step: 1,
      team: "blue",
      run: 7,
      job: "nightly",
    });
    expect(callNotes({}, { "x-litellm-spend-logs-metadata": "no JSON" })).toBeUndefined();
  });

  it("is bounded, however many tools ran and whatever they are called", () => {
    const content = Array.from({ length: 200_000 }, () => ({ type: "tool_use", name: "n".repeat(9000) }));
    const { tools } = callNotes({ messages: [{ role: "assistant", content }] })!;
    expect(tools).toHaveLength(50);
    expect(new Set(tools.map((name) => name.length))).toEqual(new Set([64]));
  });

  it("shows no key, wherever it stands", () => {
    const key = "sk-0123456789abcdef";
    const [call, part] = [{ function: { name: `run ${key}` } }, { type: "tool_use", name: key }];
    const notes = callNotes({
      messages: [{ role: "assistant", tool_calls: [call], content: [part] }],
      metadata: {
        [key]: 1,
        job: `with ${key}`,
        cut: `${"x".repeat(190)} ${key}`,
        password: "a word",
        api_key: "another",
        spend_logs_metadata: { at: "https://someone:a-word@host/", token: "word" },
      },
    })!;
    expect(notes.tools).toEqual(["***", "run ***"]);
    expect(JSON.stringify(notes)).not.toMatch(/sk-|word@|"a word"|another|"word"/);
    expect(notes.metadata).toMatchObject({ job: "with ***", password: "***", api_key: "***", token: "***" });
  });
});
