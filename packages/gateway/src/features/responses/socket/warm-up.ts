import type { Exchange, StreamedReply } from "../../../contract/exchange.ts";
import { filledText, type JsonObject } from "../../../contract/json.ts";
import { readJsonObject } from "../../../contract/json-body.ts";
import { planAttempts } from "../../../core/routing/plan.ts";
import { namedEvent } from "../../../formats/sse-event.ts";
import { allowedModel } from "../input/asked-model.ts";
import { readResponseRequest } from "../input/create-request.ts";
import { openAdapter } from "../input/response-adapter.ts";
import { newResponseId } from "../record/issued-ids.ts";
import type { ResponseDeps } from "../response-deps.ts";

/**
 * Answers `generate: false`: a response without output from which the connection can go on. No model is asked, since
 * providers' HTTP endpoints have no such request, so it costs nothing; a key that may not call the model is refused.
 * What it carries passes hooks and limits with the request that goes on from it.
 */
export async function warmUp(deps: ResponseDeps, exchange: Exchange): Promise<StreamedReply> {
  const body = readJsonObject(await exchange.readBody());
  const request = readResponseRequest(body);
  const { principal } = exchange;
  const config = deps.calls.config.current;
  const model = allowedModel(body, exchange, config);
  await openAdapter(deps, request, principal, async (row) => row);
  planAttempts({ model, region: principal.allowedModelRegion }, config, {
    health: deps.calls.health,
    random: Math.random,
    price: () => undefined,
  });
  exchange.call.status = "success";
  const response: JsonObject = {
    id: newResponseId(),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    model: filledText(body.model) ?? model,
    output: [],
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: request.previousId ?? null,
    store: request.store,
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    usage: NO_TOKENS,
  };
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8" },
    stream: events(response),
  };
}

const NO_TOKENS = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

async function* events(response: JsonObject): AsyncGenerator<Uint8Array> {
  const begun = { ...response, status: "in_progress", usage: null };
  const all = [
    { type: "response.created", sequence_number: 0, response: begun },
    { type: "response.in_progress", sequence_number: 1, response: begun },
    { type: "response.completed", sequence_number: 2, response },
  ];
  for (const event of all) yield Buffer.from(namedEvent(event.type, event));
}
