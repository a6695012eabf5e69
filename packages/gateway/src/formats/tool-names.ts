import { createHash } from "node:crypto";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

/**
 * Names of functions that every provider takes: OpenAI and Gemini allow 64 characters, Gemini wants a letter or an
 * underscore first, and none but Gemini takes dots and colons (the providers' API references, "function calling").
 */
const SAFE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const KEPT_CHARACTERS = 50;

/** A call with names that its provider takes, and the way back. */
export interface NamedTools {
  readonly options: LanguageModelV3CallOptions;
  restoreResult(result: LanguageModelV3GenerateResult): LanguageModelV3GenerateResult;
  restoreStream(stream: ReadableStream<LanguageModelV3StreamPart>): ReadableStream<LanguageModelV3StreamPart>;
}

/**
 * Shortens tool names that not every provider takes, by a hash, also in the conversation's earlier calls. Answers get
 * the caller's names back.
 */
export function withSafeToolNames(options: LanguageModelV3CallOptions): NamedTools {
  if (hasSafeNames(options))
    return { options, restoreResult: (result) => result, restoreStream: (stream) => stream };
  const original = new Map<string, string>();
  const safe = (name: string): string => {
    if (SAFE_NAME.test(name)) return name;
    const short = shortened(name);
    original.set(short, name);
    return short;
  };
  const tools = options.tools?.map((tool) =>
    tool.type === "function" && !SAFE_NAME.test(tool.name) ? { ...tool, name: safe(tool.name) } : tool,
  );
  const prompt = withNames(options.prompt, safe);
  const choice = options.toolChoice;
  const toolChoice = choice?.type === "tool" ? { ...choice, toolName: safe(choice.toolName) } : choice;
  const restored = (name: string): string => original.get(name) ?? name;
  return {
    options: {
      ...options,
      prompt,
      ...(tools === undefined ? {} : { tools }),
      ...(toolChoice === undefined ? {} : { toolChoice }),
    },
    restoreResult: (result) => ({
      ...result,
      content: result.content.map((part) =>
        part.type === "tool-call" ? { ...part, toolName: restored(part.toolName) } : part,
      ),
    }),
    restoreStream: (stream) =>
      stream.pipeThrough(
        new TransformStream({
          transform: (part, controller) =>
            controller.enqueue(
              part.type === "tool-call" || part.type === "tool-input-start"
                ? { ...part, toolName: restored(part.toolName) }
                : part,
            ),
        }),
      ),
  };
}

/** Nearly every call: nothing of a long conversation is copied for it. */
function hasSafeNames({ tools, toolChoice, prompt }: LanguageModelV3CallOptions): boolean {
  return (
    (tools ?? []).every((tool) => tool.type !== "function" || SAFE_NAME.test(tool.name)) &&
    (toolChoice?.type !== "tool" || SAFE_NAME.test(toolChoice.toolName)) &&
    prompt.every(
      ({ content }) =>
        typeof content === "string" ||
        content.every(
          (part) =>
            (part.type !== "tool-call" && part.type !== "tool-result") || SAFE_NAME.test(part.toolName),
        ),
    )
  );
}

function withNames(prompt: LanguageModelV3Prompt, safe: (name: string) => string): LanguageModelV3Prompt {
  return prompt.map((message) => {
    if (message.role !== "assistant" && message.role !== "tool") return message;
    const content = message.content.map((part) =>
      "toolName" in part ? { ...part, toolName: safe(part.toolName) } : part,
    );
    return { ...message, content } as typeof message;
  });
}

/** The beginning of a name and a hash of the whole: the same in every request, which caches of prompts rely on. */
function shortened(name: string): string {
  const readable = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^(?![A-Za-z_])/, "_");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `${readable.slice(0, KEPT_CHARACTERS)}_${hash}`;
}
