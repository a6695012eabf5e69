import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
} from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { writeExtraContent } from "../../formats/signature.ts";
import { base64Of, textOf, toolOutputFiles, toolOutputText, urlOf } from "../file-data.ts";

type ToolMessage = Extract<LanguageModelV3Message, { role: "tool" }>;
type AssistantMessage = Extract<LanguageModelV3Message, { role: "assistant" }>;

/**
 * The prompt as `messages`. System messages in a row become one, because some chat templates allow only one.
 * @param sendsReasoning whether the host wants earlier reasoning back (`reasoning_content`)
 */
export function toMessages(prompt: LanguageModelV3Prompt, sendsReasoning: boolean): JsonObject[] {
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
