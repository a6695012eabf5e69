import type { Target } from "../../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { BufferedReply, Exchange, Reply } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readJsonObject, readPassingBody } from "../../contract/json-body.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { RequestAdapter } from "../../core/call/model-call.ts";
import { answerId } from "../../formats/answer-members.ts";
import { responseObject } from "../../formats/responses/response-object.ts";
import { compactionItem } from "./input/compaction-item.ts";
import { readResponseRequest } from "./input/create-request.ts";
import { openAdapter, type ResponseAdapter } from "./input/response-adapter.ts";
import type { ResponseDeps } from "./response-deps.ts";

const PATH = upstreamPath`/responses/compact`;
const WISH =
  "Sum up the conversation so far for the assistant who takes it over and sees nothing else of it but the user's messages: the user's aims and constraints, decisions, facts and results of tools that are still needed, files and names, what is done and what comes next. Answer with the summary alone.";

/**
 * Sums a conversation up (OpenAI API reference, "Compact a response"): OpenAI does it itself; every other provider's model
 * writes a summary, which the caller gets as an item that only this gateway reads.
 */
export class ResponseCompactor {
  readonly #deps: ResponseDeps;

  constructor(deps: ResponseDeps) {
    this.#deps = deps;
  }

  async compact(exchange: Exchange): Promise<Reply> {
    const { callId, family, headers, principal, caller, call } = exchange;
    const { body, raw } = readPassingBody(await exchange.readBody());
    const request = readResponseRequest(body);
    if (request.stream) throw invalidRequest("stream: a compaction is answered whole", "stream");
    if (request.background)
      throw invalidRequest("background: a compaction is answered at once", "background");
    const whole = await openAdapter(this.#deps, request, principal, async (row) => row);
    const adapter = new SummaryAdapter(whole);
    const record = call;
    const reply = (await executeCall(this.#deps.calls, {
      ...{ callId, format: "responses", family, path: PATH, body, raw, headers, principal },
      ...{ signal: caller, record, adapter },
    })) as BufferedReply;
    const answer = Buffer.isBuffer(reply.body) ? readJsonObject(reply.body) : (reply.body as JsonObject);
    if (answer.object !== "response") return reply;
    const summary = summaryOf(answer);
    // Hooks see the summary before it is sealed, as a response; what they added to that is the caller's too.
    const added = Object.entries(answer).filter(([name]) => !responseMembers.has(name));
    const compaction = {
      ...Object.fromEntries(added),
      id: answerId("resp_", callId),
      object: "response.compaction",
      created_at: answer.created_at,
      output: [...adapter.userMessages, compactionItem(this.#deps.seal, whole.context.tenant, summary)],
      usage: answer.usage,
    };
    return { ...reply, body: compaction };
  }
}

const responseMembers: ReadonlySet<string> = new Set(
  Object.keys(
    responseObject({ model: "", request: {}, callId: "", created: 0 }, { status: "completed", output: [] }),
  ),
);

/** Asks a model for a summary where the provider has no compaction. */
class SummaryAdapter implements RequestAdapter {
  /** Of the conversation that was summed up. */
  userMessages: readonly JsonObject[] = [];
  readonly #whole: ResponseAdapter;

  constructor(whole: ResponseAdapter) {
    this.#whole = whole;
  }

  get prefers(): string | undefined {
    return this.#whole.prefers;
  }

  hooked(data: JsonObject): Promise<void> {
    return this.#whole.hooked(data);
  }

  async changes(data: JsonObject, target: Target, isNative: boolean): Promise<ReadonlyMap<string, unknown>> {
    const changes = await this.#whole.changes(data, target, isNative);
    if (isNative) return changes;
    const input = changes.get("input");
    const items = Array.isArray(input) ? input.filter(isJsonObject) : await this.#whole.history();
    if (items.length === 0) throw invalidRequest("input: there is nothing to sum up", "input");
    this.userMessages = items.filter(({ type, role }) => type === "message" && role === "user");
    return new Map<string, unknown>([
      ...changes,
      ["input", [...items.map(told), message("user", WISH)]],
      ["tools", undefined],
      ["tool_choice", undefined],
      ["text", undefined],
    ]);
  }
}

/**
 * Calls and results as texts: providers take them in a conversation only beside the tools that were called, and not all
 * can be kept from calling one instead of summing up.
 */
function told(item: JsonObject): JsonObject {
  const { type, name, output } = item;
  if (type === "function_call" || type === "custom_tool_call")
    return message("assistant", `(called ${name} with ${item.arguments ?? item.input})`);
  if (type !== "function_call_output" && type !== "custom_tool_call_output") return item;
  if (!Array.isArray(output)) return message("user", `(result of a tool: ${output})`);
  return {
    ...message("user", ""),
    content: [{ type: "input_text", text: "(result of a tool:)" }, ...output],
  };
}

function message(role: "user" | "assistant", text: string): JsonObject {
  return { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] };
}

/** @throws GatewayError 502 for an answer that is none, or breaks off: a conversation must not go on from half of it */
function summaryOf({ status, output }: JsonObject): string {
  const items = Array.isArray(output) ? output.filter(isJsonObject) : [];
  const text = items
    .flatMap(({ type, content }) => (type === "message" && Array.isArray(content) ? content : []))
    .map((part: unknown) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
  if (status === "completed" && text.trim() !== "") return text;
  throw new GatewayError(502, "api_error", "The model did not finish a summary of the conversation.");
}
