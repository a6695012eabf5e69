import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { AnswerContext, Dialect } from "../../contract/dialect.ts";
import type { JsonObject } from "../../contract/json.ts";
import { answerId } from "../answer-members.ts";
import { fromNeutralUsage, readResponsesUsage } from "../usage.ts";
import { CallerTools } from "./caller-tools.ts";
import { ResponsesEncoder, responsesErrorEvent } from "./encoder.ts";
import { messageItem, reasoningItem, searchItem, textCitations, toolCallItem } from "./output-items.ts";
import { endState, responseObject } from "./response-object.ts";
import { ResponsesGrammar } from "./responses-grammar.ts";
import { responsesToCallOptions } from "./to-call-options.ts";

/** OpenAI's Responses, each answered from its own input alone. */
export const responsesDialect: Dialect = {
  format: "responses",
  toCallOptions: responsesToCallOptions,
  fromResult: responsesFromResult,
  encoder: (context, check) => new ResponsesEncoder(context, check),
  grammar: () => new ResponsesGrammar(),
  errorEvent: responsesErrorEvent,
  usageOf: (answer) => readResponsesUsage(answer.usage, answer.service_tier),
};

/** A neutral result as a response resource. */
function responsesFromResult(result: LanguageModelV3GenerateResult, context: AnswerContext): JsonObject {
  const end = endState(result);
  const usage = fromNeutralUsage(result.usage);
  return responseObject(context, { ...end, output: outputItems(result, context, end.status), usage });
}

function outputItems(
  result: LanguageModelV3GenerateResult,
  context: AnswerContext,
  status: string,
): JsonObject[] {
  const items: JsonObject[] = [];
  for (const [position, part] of result.content.entries()) {
    const index = items.length;
    if (part.type === "text" && part.text !== "") {
      const textStatus = status === "incomplete" ? "incomplete" : "completed";
      const cited = citationsAfter(result.content, position, part.text);
      items.push(messageItem(answerId("msg_", context.callId, index), textStatus, part.text, cited));
    } else if (part.type === "reasoning") {
      items.push(reasoningItem(answerId("rs_", context.callId, index), part.text, part.providerMetadata));
    } else if (part.type === "tool-call" && part.providerExecuted === true) {
      const found = result.content.find(
        (other) => other.type === "tool-result" && other.toolCallId === part.toolCallId,
      );
      const searched = found?.type === "tool-result" ? found : undefined;
      const item = searchItem(answerId("ws_", context.callId, index), part, searched, context.request);
      if (item !== undefined) items.push(item);
    } else if (part.type === "tool-call") {
      const tool = CallerTools.of(context.request.tools).callerTool(part.toolName);
      const id = answerId(tool.type === "custom" ? "ctc_" : "fc_", context.callId, index);
      const call = { id: part.toolCallId, tool, input: part.input };
      items.push(toolCallItem(id, "completed", call, part.providerMetadata));
    }
  }
  return items;
}

/** What the sources between a text and the next text cite. */
function citationsAfter(
  content: readonly LanguageModelV3Content[],
  position: number,
  text: string,
): JsonObject[] {
  const after = content.slice(position + 1);
  const next = after.findIndex(({ type }) => type === "text");
  return (next < 0 ? after : after.slice(0, next)).flatMap((part) =>
    part.type === "source" ? textCitations(part, text) : [],
  );
}
