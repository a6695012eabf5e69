import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { Collected } from "./collect.ts";
import { countingRules } from "./model-family.ts";
import { textTokens } from "./text-tokens.ts";

/**
 * Input tokens of a Messages, chat completion, Responses or Gemini body, counted on this machine: system, messages with their
 * content blocks, tools, pictures and documents by the model maker's rules. An estimate where the maker publishes no
 * tokenizer.
 */
export async function countTokens(body: JsonObject): Promise<number> {
  const rules = countingRules(body.model);
  const collected = new Collected(rules);
  collected.content(body.system);
  collected.content(body.instructions);
  collected.googleContent(body.systemInstruction);
  for (const message of listOf(body.messages ?? body.input)) {
    collected.add(rules.perMessage);
    if (isJsonObject(message)) collectMessage(message, collected);
    else collected.text(message);
  }
  for (const content of listOf(body.contents)) {
    collected.add(rules.perMessage);
    collected.googleContent(content);
  }
  const tools = [...listOf(body.tools), ...listOf(body.functions)];
  if (tools.length > 0) collected.add(rules.toolPreamble);
  for (const tool of tools) collected.json(tool);
  const text = await textTokens(collected.texts);
  return Math.ceil(text * rules.textFactor) + collected.tokens;
}

function collectMessage(message: JsonObject, collected: Collected): void {
  collected.content(message.content);
  collected.text(message.name);
  collected.text(message.reasoning_content);
  collected.text(message.arguments);
  collected.content(message.output);
  for (const call of listOf(message.tool_calls)) {
    if (isJsonObject(call)) collected.json(call.function);
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "string" ? [value] : [];
}
