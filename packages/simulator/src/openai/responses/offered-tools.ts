import type { OfferedTool } from "../../answers/conversation.ts";
import { type JsonObject, objectsIn, stringOf } from "../../util/json.ts";
import { checkFunction, checkToolCount } from "../check-tools.ts";
import { missingParameter } from "../failures.ts";

/** A tool that a model may call, and how its calls are written. */
interface CallableTool extends OfferedTool {
  /** The namespace that it stands in. */
  readonly namespace?: string;
  /** Whether it takes a text in place of arguments. */
  readonly custom?: true;
}

/** The functions, custom tools and tools of namespaces of a request, in their order; hosted tools answer by themselves. */
export function offeredTools(request: JsonObject): CallableTool[] {
  return objectsIn(request.tools).flatMap((tool): CallableTool[] => {
    if (tool.type !== "namespace") return callable(tool);
    const namespace = stringOf(tool.name) ?? "";
    return objectsIn(tool.tools)
      .flatMap(callable)
      .map((inner) => ({ ...inner, namespace }));
  });
}

/** The item with which a model calls a tool. */
export function callItem(
  call: { readonly name: string; readonly input: JsonObject },
  request: JsonObject,
  nextId: (prefix: string) => string,
): JsonObject {
  const tool = offeredTools(request).find(({ name }) => name === call.name);
  const place = tool?.namespace === undefined ? {} : { namespace: tool.namespace };
  const { name } = call;
  if (tool?.custom === true) {
    const input = stringOf(call.input.input) ?? JSON.stringify(call.input);
    const item = { id: nextId("ctc_"), type: "custom_tool_call", status: "completed" };
    return { ...item, call_id: nextId("call_"), name, input, ...place };
  }
  const item = { id: nextId("fc_"), type: "function_call", status: "completed", call_id: nextId("call_") };
  return { ...item, name, arguments: JSON.stringify(call.input), ...place };
}

/** Refuses the tools that OpenAI refuses. */
export function checkTools(request: JsonObject): void {
  const tools = objectsIn(request.tools);
  checkToolCount(tools);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`);
}

function checkTool(tool: JsonObject, path: string): void {
  if (tool.type === "namespace")
    for (const [index, inner] of objectsIn(tool.tools).entries()) checkTool(inner, `${path}.tools[${index}]`);
  if (tool.type !== "function" && tool.type !== "custom") return;
  const name = stringOf(tool.name);
  if (name === undefined) throw missingParameter(`${path}.name`);
  checkFunction(name, tool.parameters, path);
}

function callable(tool: JsonObject): CallableTool[] {
  const name = stringOf(tool.name) ?? "";
  if (tool.type === "function") return [{ name, schema: tool.parameters }];
  return tool.type === "custom" ? [{ name, schema: undefined, custom: true }] : [];
}
