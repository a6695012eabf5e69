import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optional, readObject, readObjects, readString } from "../fields.ts";
import { type OpenCall, readResponse, takeCall } from "./read-function-response.ts";
import {
  codeText,
  kindOfPart,
  partsOf,
  readFileData,
  readInlineData,
  readUserPart,
  signatureOptions,
  textOf,
} from "./read-parts.ts";

type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];
type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

/**
 * `systemInstruction` and `contents` as the neutral prompt.
 * @throws GatewayError 400 for calls and responses that do not pair, as Gemini refuses them
 */
export function readContents(body: JsonObject): LanguageModelV3Prompt {
  const contents = readObjects(body.contents, "contents");
  if (contents.length === 0) throw invalidRequest("contents: contents is not specified", "contents");
  const conversation = new Conversation();
  for (const [content, path] of contents) conversation.add(content, path);
  const system = optional(readObject, body.systemInstruction, "systemInstruction");
  return [...(system === undefined ? [] : readSystem(system)), ...conversation.end()];
}

function readSystem(system: JsonObject): LanguageModelV3Message[] {
  return partsOf(system, "systemInstruction").map(([part, path]) => ({
    role: "system",
    content: readString(part.text, `${path}.text`),
  }));
}

/**
 * Turns one after the other. Turns of one role in a row are one: a chat that was streamed comes back with a content for
 * each chunk, and with a text and its signature in parts of their own.
 */
class Conversation {
  readonly #messages: LanguageModelV3Message[] = [];
  #open: OpenCall[] = [];
  #calls = 0;

  add(content: JsonObject, path: string): void {
    const role = optional(readString, content.role, `${path}.role`) ?? "user";
    if (role === "model") this.#addModel(content, path);
    // Vertex AI's earlier clients have a role of its own for responses.
    else if (role === "user" || role === "function" || role === "tool") this.#addUser(content, path);
    else throw invalidRequest(`${path}.role: please use a valid role: user, model`, `${path}.role`);
  }

  end(): LanguageModelV3Message[] {
    // A conversation may end in a call that the caller has not answered, as a prefilled turn may.
    return this.#messages;
  }

  #addModel(content: JsonObject, path: string): void {
    const last = this.#messages.at(-1);
    const isContinued = last?.role === "assistant";
    if (!isContinued) this.#requireAnswered(path);
    const parts = isContinued ? last.content : [];
    for (const [part, at] of partsOf(content, path)) this.#addModelPart(parts, part, at);
    if (!isContinued && parts.length > 0) this.#messages.push({ role: "assistant", content: parts });
  }

  #addModelPart(parts: AssistantPart[], part: JsonObject, path: string): void {
    const options = signatureOptions(part, path);
    const kind = kindOfPart(part, path);
    switch (kind) {
      case "text":
        addText(parts, part.thought === true ? "reasoning" : "text", textOf(part, path), options);
        return;
      case "inlineData":
        parts.push({ ...readInlineData(part.inlineData, `${path}.inlineData`), ...options });
        return;
      case "fileData":
        parts.push({ ...readFileData(part.fileData, `${path}.fileData`), ...options });
        return;
      case "functionCall":
        parts.push({ ...this.#readCall(part, `${path}.functionCall`), ...options });
        return;
      case "functionResponse":
        throw invalidRequest(`${path}.functionResponse: belongs into the user's turn`, path);
      default:
        addText(parts, "text", codeText(part, kind, path), options);
    }
  }

  #readCall(part: JsonObject, path: string): Extract<AssistantPart, { type: "tool-call" }> {
    const call = readObject(part.functionCall, path);
    const toolName = readString(call.name, `${path}.name`);
    // Counted, so that the same conversation has the same ids in every request.
    const toolCallId = optional(readString, call.id, `${path}.id`) || `call_${this.#calls}`;
    this.#calls += 1;
    const input = optional(readObject, call.args, `${path}.args`) ?? {};
    this.#open.push({ id: toolCallId, name: toolName });
    return { type: "tool-call", toolCallId, toolName, input };
  }

  /** Responses become a message of their own, before what the user says beside them. */
  #addUser(content: JsonObject, path: string): void {
    const results: LanguageModelV3ToolResultPart[] = [];
    const parts: UserPart[] = [];
    for (const [part, at] of partsOf(content, path)) {
      const kind = kindOfPart(part, at);
      if (kind === "functionResponse") results.push(this.#readResult(part, `${at}.functionResponse`));
      else parts.push(readUserPart(part, kind, at));
    }
    if (results.length === 0) this.#requireAnswered(path);
    this.#append("tool", results);
    if (parts.length > 0) this.#requireAnswered(path);
    this.#append("user", parts);
  }

  #readResult(part: JsonObject, path: string): LanguageModelV3ToolResultPart {
    const response = readObject(part.functionResponse, path);
    const call = takeCall(this.#open, response, path);
    return {
      type: "tool-result",
      toolCallId: call.id,
      toolName: call.name,
      output: readResponse(response, path),
    };
  }

  #append(role: "tool" | "user", parts: (LanguageModelV3ToolResultPart | UserPart)[]): void {
    if (parts.length === 0) return;
    const last = this.#messages.at(-1);
    if (last?.role === role) (last.content as typeof parts).push(...parts);
    else this.#messages.push({ role, content: parts } as LanguageModelV3Message);
  }

  #requireAnswered(path: string): void {
    if (this.#open.length === 0) return;
    const text = `${path}: please ensure that the number of function response parts is equal to the number of function call parts of the function call turn; ${JSON.stringify(this.#open[0]!.name)} has no response`;
    throw invalidRequest(text, path);
  }
}

/** Adds a text to the one before it of its kind, as far as no signature ended that. */
function addText(
  parts: AssistantPart[],
  type: "text" | "reasoning",
  text: string,
  options: ReturnType<typeof signatureOptions>,
): void {
  const last = parts.at(-1);
  if (last?.type === type && last.providerOptions === undefined)
    parts[parts.length - 1] = { ...last, text: last.text + text, ...options };
  else if (type === "reasoning" || text !== "" || options.providerOptions !== undefined)
    parts.push({ type, text, ...options });
}
