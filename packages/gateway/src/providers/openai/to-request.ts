import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ProviderTool,
  LanguageModelV3TextPart,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject, objectOf } from "../../contract/json.ts";
import { readNeutralOptions } from "../../formats/provider-options.ts";
import { reasoningEffort } from "../../formats/reasoning-effort.ts";
import { writeExtraContent } from "../../formats/signature.ts";
import { objectSchema } from "../../formats/tools/tool-schema.ts";
import { base64Of, textOf, toolOutputFiles, toolOutputText, urlOf } from "../file-data.ts";
import type { ChatHost } from "./chat-language-model.ts";

/** A neutral call as a chat completion request, without `stream`. */
export function toChatRequest(
  options: LanguageModelV3CallOptions,
  model: string,
  host: ChatHost,
  reasons: boolean,
): JsonObject {
  const { parallelToolCalls, user, serviceTier } = readNeutralOptions(options);
  const hasTools = options.tools !== undefined && options.tools.length > 0;
  const openai: unknown = host.hasOpenaiReasoning ? options.providerOptions?.openai : undefined;
  return {
    model,
    messages: toMessages(options.prompt, host.sendsReasoning),
    ...defined({
      ...(reasons ? reasoningSettings(options) : samplingSettings(options)),
      response_format: responseFormat(options),
      tools: hasTools ? options.tools?.map((tool) => toTool(tool, host)) : undefined,
      tool_choice: hasTools && options.toolChoice ? toToolChoice(options.toolChoice) : undefined,
      parallel_tool_calls: hasTools ? parallelToolCalls : undefined,
      user: host.hasOpenaiReasoning ? user : undefined,
      service_tier: host.hasOpenaiReasoning ? serviceTier : undefined,
    }),
    ...objectOf(openai),
  };
}

function samplingSettings(options: LanguageModelV3CallOptions) {
  return {
    max_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    stop: options.stopSequences,
    seed: options.seed,
    reasoning_effort: undefined,
  };
}

function reasoningSettings(options: LanguageModelV3CallOptions) {
  const { reasoning } = readNeutralOptions(options);
  return {
    max_completion_tokens: options.maxOutputTokens,
    reasoning_effort: reasoningEffort(reasoning),
    seed: options.seed,
  };
}

function responseFormat({ responseFormat: format }: LanguageModelV3CallOptions): JsonObject | undefined {
  if (format?.type !== "json") return undefined;
  if (format.schema === undefined) return { type: "json_object" };
  const { schema, name, description } = format;
  return {
    type: "json_schema",
    json_schema: { name: name ?? "response", schema, strict: true, ...defined({ description }) },
  };
}

function toTool(
  tool: LanguageModelV3FunctionTool | LanguageModelV3ProviderTool,
  { provider, hasOpenaiReasoning: isOpenai }: ChatHost,
): JsonObject {
  if (tool.type === "provider")
    throw invalidRequest(
      `tools: the tool ${tool.id} is not available at the provider ${provider.name}`,
      "tools",
    );
  const { name, description, inputSchema, strict: asked } = tool;
  // Other hosts take alternatives, and some hold the model to them.
  const parameters = isOpenai ? objectSchema(inputSchema as JsonObject) : inputSchema;
  // Members of some alternatives only need not be there, which a strict function cannot say.
  const strict = parameters === inputSchema ? asked : undefined;
  return { type: "function", function: { name, parameters, ...defined({ description, strict }) } };
}

function toToolChoice(choice: LanguageModelV3ToolChoice): string | JsonObject {
  return choice.type === "tool" ? { type: "function", function: { name: choice.toolName } } : choice.type;
}

type ToolMessage = Extract<LanguageModelV3Message, { role: "tool" }>;
type AssistantMessage = Extract<LanguageModelV3Message, { role: "assistant" }>;

/**
 * The prompt as `messages`. System messages in a row become one, because some chat templates allow only one.
 * @param sendsReasoning whether the host wants earlier reasoning back (`reasoning_content`)
 */
function toMessages(prompt: LanguageModelV3Prompt, sendsReasoning: boolean): JsonObject[] {
  const messages: JsonObject[] = [];
  for (const message of prompt) {
    switch (message.role) {
      case "system": {
        const last = messages.at(-1);
        if (last?.role === "system") last.content = `${String(last.content)}\n\n${message.content}`;
        else messages.push({ role: "system", content: message.content });
        break;
      }
      case "user":
        messages.push({ role: "user", content: toUserContent(message.content) });
        break;
      case "assistant":
        messages.push(toAssistant(message, sendsReasoning));
        break;
      case "tool":
        messages.push(...toToolMessages(message));
    }
  }
  return messages;
}

function toUserContent(
  content: readonly (LanguageModelV3TextPart | LanguageModelV3FilePart)[],
): string | JsonObject[] {
  const [first] = content;
  if (content.length === 1 && first?.type === "text") return first.text;
  return content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : toFilePart(part)));
}

function toFilePart({ data, mediaType, filename }: LanguageModelV3FilePart): JsonObject {
  if (mediaType.startsWith("image/")) {
    return { type: "image_url", image_url: { url: urlOf(data, mediaType) } };
  }
  if (mediaType.startsWith("text/") && !(data instanceof URL)) return { type: "text", text: textOf(data) };
  if (mediaType.startsWith("audio/") && !(data instanceof URL)) {
    const format = mediaType === "audio/mpeg" ? "mp3" : mediaType.slice("audio/".length);
    return { type: "input_audio", input_audio: { data: base64Of(data), format } };
  }
  return { type: "file", file: { filename: filename ?? "file.pdf", file_data: urlOf(data, mediaType) } };
}

function toAssistant({ content }: AssistantMessage, sendsReasoning: boolean): JsonObject {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const thought = content.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("\n");
  const calls = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(sendsReasoning && thought !== "" ? { reasoning_content: thought } : {}),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.toolCallId,
            type: "function",
            function: { name: call.toolName, arguments: JSON.stringify(call.input) },
            ...writeExtraContent(call.providerOptions),
          })),
        }),
  };
}

/** Tool messages hold text only; pictures follow as a user's message after all of them. */
function toToolMessages({ content }: ToolMessage): JsonObject[] {
  const results = content.filter((part) => part.type === "tool-result");
  const messages: JsonObject[] = results.map((result) => ({
    role: "tool",
    tool_call_id: result.toolCallId,
    content: toolOutputText(result.output),
  }));
  const files = results.flatMap((result) => toolOutputFiles(result.output));
  if (files.length > 0) {
    const intro = { type: "text", text: "These are the pictures and files of the tool results above." };
    messages.push({ role: "user", content: [intro, ...files.map(toFilePart)] });
  }
  return messages;
}
