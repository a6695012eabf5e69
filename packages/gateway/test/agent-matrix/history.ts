import type { Received } from "portico-simulator";

type Json = Record<string, unknown>;

/** One step of a conversation, the same for every provider's format. */
export interface Step {
  readonly kind: "user" | "text" | "thinking" | "call" | "result";
  readonly text: string;
  /** Of calls and results; Gemini's have none, so the name stands for it. */
  readonly id?: string;
}

/** The conversation in a request as it reached a provider, in order; a system prompt is none of it. */
export function stepsOf({ body, path }: Received): Step[] {
  if (!isObject(body)) return [];
  if (path.includes("/responses")) return list(body.input).flatMap(responseItem);
  if (Array.isArray(body.contents)) return list(body.contents).flatMap(geminiContent);
  const isConverse = path.includes("/converse");
  return list(body.messages).flatMap((message) =>
    isConverse
      ? converseMessage(message)
      : path.includes("/chat/")
        ? chatMessage(message)
        : ofMessage(message),
  );
}

/** What is wrong with the calls and results of a conversation; none is left without the other. */
export function unpaired(steps: readonly Step[]): string | undefined {
  const ids = (kind: Step["kind"]): string[] =>
    steps.filter((step) => step.kind === kind).map(({ id }) => String(id));
  const [calls, results] = [ids("call"), ids("result")];
  const lost = calls.find((id) => !results.includes(id)) ?? results.find((id) => !calls.includes(id));
  return lost === undefined ? undefined : `the call ${lost} and its result are not both there`;
}

function responseItem(item: Json): Step[] {
  switch (item.type ?? "message") {
    case "message":
      return [{ kind: item.role === "assistant" ? "text" : "user", text: textOf(item.content) }];
    case "reasoning":
      return [{ kind: "thinking", text: textOf(item.summary) }];
    case "function_call":
    case "custom_tool_call":
      return [
        { kind: "call", id: String(item.call_id), text: `${item.name} ${item.arguments ?? item.input}` },
      ];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ kind: "result", id: String(item.call_id), text: textOf(item.output) }];
    default:
      return [{ kind: "text", text: JSON.stringify(item) }];
  }
}

function chatMessage(message: Json): Step[] {
  if (message.role === "system" || message.role === "developer") return [];
  if (message.role === "tool")
    return [{ kind: "result", id: String(message.tool_call_id), text: textOf(message.content) }];
  const steps: Step[] = [];
  if (typeof message.reasoning_content === "string" && message.reasoning_content !== "")
    steps.push({ kind: "thinking", text: message.reasoning_content });
  const text = textOf(message.content);
  if (text !== "") steps.push({ kind: message.role === "user" ? "user" : "text", text });
  for (const call of list(message.tool_calls)) {
    const called = isObject(call.function) ? call.function : {};
    steps.push({ kind: "call", id: String(call.id), text: `${called.name} ${called.arguments}` });
  }
  return steps;
}

function ofMessage({ role, content }: Json): Step[] {
  const said = role === "user" ? "user" : "text";
  if (typeof content === "string") return [{ kind: said, text: content }];
  return list(content).map((block): Step => {
    if (block.type === "tool_use")
      return { kind: "call", id: String(block.id), text: `${block.name} ${JSON.stringify(block.input)}` };
    if (block.type === "tool_result")
      return { kind: "result", id: String(block.tool_use_id), text: textOf(block.content) };
    if (block.type === "thinking" || block.type === "redacted_thinking")
      return { kind: "thinking", text: String(block.thinking) };
    return { kind: said, text: textOf([block]) };
  });
}

function converseMessage({ role, content }: Json): Step[] {
  return list(content).map((block): Step => {
    const { toolUse, toolResult, reasoningContent } = block;
    if (isObject(toolUse))
      return {
        kind: "call",
        id: String(toolUse.toolUseId),
        text: `${toolUse.name} ${JSON.stringify(toolUse.input)}`,
      };
    if (isObject(toolResult))
      return { kind: "result", id: String(toolResult.toolUseId), text: JSON.stringify(toolResult.content) };
    if (reasoningContent !== undefined) return { kind: "thinking", text: JSON.stringify(reasoningContent) };
    return { kind: role === "user" ? "user" : "text", text: textOf([block]) };
  });
}

function geminiContent({ role, parts }: Json): Step[] {
  return list(parts).flatMap((part): Step[] => {
    const { functionCall, functionResponse } = part;
    const signed: Step[] =
      part.thought === true || part.thoughtSignature !== undefined
        ? [{ kind: "thinking", text: textOf([part]) }]
        : [];
    if (part.thought === true) return signed;
    if (isObject(functionCall)) {
      const text = `${functionCall.name} ${JSON.stringify(functionCall.args)}`;
      return [...signed, { kind: "call", id: String(functionCall.id ?? functionCall.name), text }];
    }
    if (isObject(functionResponse)) {
      const id = String(functionResponse.id ?? functionResponse.name);
      return [{ kind: "result", id, text: JSON.stringify(functionResponse.response) }];
    }
    return [...signed, { kind: role === "model" ? "text" : "user", text: textOf([part]) }];
  });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
