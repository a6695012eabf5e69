import { ApiFailure } from "../http/api-failure.ts";
import { type JsonObject, type JsonValue, numberOf, objectOf, objectsIn, stringOf } from "../util/json.ts";

const MAX_NAME = 64;

/** Members of a content block; a block has exactly one of them. */
const blockKinds = ["text", "image", "document", "toolUse", "toolResult", "reasoningContent", "cachePoint"];

/** A Converse request as the Messages request that it stands for, checked as Bedrock checks it. */
export function messagesOfConverse(model: string, body: JsonObject): JsonObject {
  const { inferenceConfig, toolConfig, additionalModelRequestFields: fields } = body;
  const inference = objectOf(inferenceConfig);
  const system = blocks(body.system, "system");
  const usesTools = objectsIn(body.messages).some(({ content }) =>
    objectsIn(content).some((block) => block.toolUse !== undefined || block.toolResult !== undefined),
  );
  if (usesTools && toolConfig === undefined)
    throw invalid("The toolConfig field must be defined when using toolUse and toolResult content blocks.");
  return {
    model,
    messages: objectsIn(body.messages).map(({ role, content }, index) => ({
      role,
      content: blocks(content, `messages.${index}.content`),
    })),
    ...(system.length === 0 ? {} : { system }),
    max_tokens: numberOf(inference.maxTokens) ?? 4096,
    ...(inference.temperature === undefined ? {} : { temperature: inference.temperature }),
    ...(inference.stopSequences === undefined ? {} : { stop_sequences: inference.stopSequences }),
    ...tools(objectOf(toolConfig), model),
    ...objectOf(fields),
  };
}

/** A cache point marks the block before it. */
function blocks(value: JsonValue | undefined, path: string): JsonObject[] {
  const read: JsonObject[] = [];
  for (const [index, block] of objectsIn(value).entries()) {
    const kinds = Object.keys(block);
    if (kinds.length !== 1 || !blockKinds.includes(kinds[0]!)) {
      throw invalid(`The content block at ${path}.${index} must have exactly one member`);
    }
    const last = read.at(-1);
    if (block.cachePoint !== undefined && last !== undefined) last.cache_control = { type: "ephemeral" };
    else read.push(readBlock(block, `${path}.${index}`));
  }
  return read;
}

function readBlock(block: JsonObject, path: string): JsonObject {
  if (block.text !== undefined) return { type: "text", text: block.text };
  if (block.image !== undefined) return { type: "image", source: source(block.image, "image", path) };
  if (block.document !== undefined) {
    if (!/^[\w\s()[\]-]+$/.test(stringOf(objectOf(block.document).name) ?? "")) {
      throw invalid(`The document's name at ${path} has characters that are not allowed`);
    }
    return { type: "document", source: source(block.document, "application", path) };
  }
  if (block.toolUse !== undefined) {
    const { toolUseId, name, input } = objectOf(block.toolUse);
    return { type: "tool_use", id: toolUseId, name, input };
  }
  if (block.toolResult !== undefined) {
    const { toolUseId, content, status } = objectOf(block.toolResult);
    const inner = blocks(content, `${path}.toolResult`);
    return { type: "tool_result", tool_use_id: toolUseId, content: inner, is_error: status === "error" };
  }
  const { reasoningText, redactedContent } = objectOf(block.reasoningContent);
  if (redactedContent !== undefined) return { type: "redacted_thinking", data: redactedContent };
  const { text, signature } = objectOf(reasoningText);
  return { type: "thinking", thinking: text, signature };
}

function source(value: JsonValue, kind: string, path: string): JsonObject {
  const { format, source: from } = objectOf(value);
  const data = stringOf(objectOf(from).bytes);
  if (data === undefined) throw invalid(`The source at ${path} has no bytes`);
  return { type: "base64", media_type: `${kind}/${String(format)}`, data };
}

function tools({ tools: list, toolChoice }: JsonObject, model: string): JsonObject {
  const named = objectsIn(list);
  const specs = named.flatMap(({ toolSpec }) => (toolSpec === undefined ? [] : [objectOf(toolSpec)]));
  const searches = named.some(({ systemTool }) => checkSystemTool(systemTool, model));
  if (specs.length === 0 && !searches) return {};
  for (const [index, { name }] of specs.entries()) checkName(stringOf(name) ?? "", index + 1);
  const choice = objectOf(toolChoice);
  const wanted = stringOf(objectOf(choice.tool).name);
  const forced = wanted === undefined ? undefined : { type: "tool", name: wanted };
  return {
    tools: [
      ...specs.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: objectOf(inputSchema).json,
      })),
      ...(searches ? [{ type: "web_search_20250305", name: "web_search" }] : []),
    ],
    tool_choice: forced ?? { type: choice.any === undefined ? "auto" : "any" },
  };
}

/** Whether it is Nova's search in the web; other models refuse it. */
function checkSystemTool(systemTool: JsonValue | undefined, model: string): boolean {
  if (systemTool === undefined) return false;
  const name = stringOf(objectOf(systemTool).name);
  if (name !== "nova_grounding" || !/^(?:us\.)?amazon\.nova-/.test(model))
    throw invalid(`This model doesn't support the system tool ${name}`);
  return true;
}

function checkName(name: string, position: number): void {
  const at = `1 validation error detected: Value '${name}' at 'toolConfig.tools.${position}.member.toolSpec.name'`;
  if (name.length > MAX_NAME)
    throw invalid(
      `${at} failed to satisfy constraint: Member must have length less than or equal to ${MAX_NAME}`,
    );
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    throw invalid(
      `${at} failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
    );
}

function invalid(message: string): ApiFailure {
  return new ApiFailure(400, message, { type: "ValidationException" });
}
