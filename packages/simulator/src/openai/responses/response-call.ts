import { answerTo } from "../../answers/answer.ts";
import { servedTier } from "../../answers/service-tier.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { type JsonObject, objectOf, stringOf } from "../../util/json.ts";
import type { CallOptions } from "../call-options.ts";
import type { ConversationStore, StoredConversation } from "../conversations/conversation-store.ts";
import { contentPolicyViolation, contextLengthExceeded, invalidRequest, notFound } from "../failures.ts";
import { checkItems } from "./check-items.ts";
import { responseStream } from "./event-stream.ts";
import { inputItems } from "./input-items.ts";
import { checkTools } from "./offered-tools.ts";
import { outputItems } from "./output-items.ts";
import { readResponse } from "./read-response.ts";
import { responseObject } from "./response-object.ts";
import { itemsThrough, type ResponseRecord, statusAt } from "./response-record.ts";
import type { ResponseStore } from "./response-store.ts";

/** What responses of one account keep. */
export interface ResponseAccount {
  readonly responses: ResponseStore;
  readonly conversations: ConversationStore;
  /** What the connection remembers beside, where there is one. */
  remembered?(id: string): ResponseRecord | undefined;
  remember?(record: ResponseRecord): void;
}

/** What a request continues. */
interface Context {
  readonly previous: ResponseRecord | undefined;
  readonly conversation: StoredConversation | undefined;
  /** Items from before this request. */
  readonly items: readonly JsonObject[];
}

/** Checks a responses request and prepares its answer, which is stored when it is given. */
export function responseCall(
  state: SimulatorState,
  account: ResponseAccount,
  body: JsonObject,
  options: CallOptions,
): ModelCall {
  const nextId = (prefix: string): string => state.ids.next(prefix, options.seed, 48);
  const context = contextOf(account, body);
  const input = inputItems(body.input, nextId).map((item) => referred(item, account.responses));
  const items = [...context.items, ...input];
  checkTools(body);
  const conversation = readResponse(body, items);
  checkItems(items, (id) => account.responses.items.has(id) || context.items.some((item) => item.id === id));
  if (body.background === true && body.store === false) {
    throw invalidRequest("Background responses require `store` to be true.", "store");
  }
  const { flags } = conversation.directives;
  if (flags.has("context-window")) throw contextLengthExceeded(conversation.inputTokens, "input");
  if (flags.has("content-policy")) throw contentPolicyViolation(options.flavour === "azure");
  const start = (): ResponseRecord => {
    const answer = answerTo(conversation, options.tokens);
    state.counters.countTokens(conversation.model, answer.inputTokens, answer.outputTokens);
    const background = body.background === true;
    const record: ResponseRecord = {
      id: nextId("resp_"),
      createdMs: state.clock(),
      request: body,
      model: conversation.model,
      serviceTier: servedTier(body.service_tier, conversation.directives, "default"),
      answer,
      input,
      output: options.generates === false ? [] : outputItems(answer, body, nextId),
      previous: context.previous,
      conversationId: context.conversation?.id,
      fails: flags.has("fail"),
      queuedMs: background ? state.settings.responseQueuedMs : 0,
      runningMs: background ? state.settings.responseRunningMs : 0,
      cancelledMs: undefined,
    };
    if (body.store !== false) account.responses.add(record);
    else account.remember?.(record);
    context.conversation?.items.push(...record.input, ...record.output);
    return record;
  };
  return {
    directives: conversation.directives,
    stream: body.stream === true,
    json: () => {
      const record = start();
      return responseObject(record, statusAt(record, record.createdMs));
    },
    events: () => responseStream(start(), state.clock),
  };
}

function referred(item: JsonObject, store: ResponseStore): JsonObject {
  if (item.type !== "item_reference") return item;
  const id = stringOf(item.id) ?? "";
  const stored = store.items.get(id);
  if (stored === undefined) throw notFound(`Item with id '${id}' not found.`, "input");
  return stored;
}

/** The items that a request's `previous_response_id` or `conversation` brings with it. */
export function contextOf(account: ResponseAccount, body: JsonObject): Context {
  const previousId = stringOf(body.previous_response_id);
  const conversationId = stringOf(body.conversation) ?? stringOf(objectOf(body.conversation).id);
  if (previousId !== undefined && conversationId !== undefined) {
    throw invalidRequest(
      "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of them.",
      null,
      "mutually_exclusive_parameters",
    );
  }
  if (conversationId !== undefined) {
    const conversation = account.conversations.get(conversationId);
    return { previous: undefined, conversation, items: conversation.items };
  }
  if (previousId === undefined) return { previous: undefined, conversation: undefined, items: [] };
  const previous = account.remembered?.(previousId) ?? account.responses.find(previousId);
  if (previous === undefined) {
    const message = `Previous response with id '${previousId}' not found.`;
    throw invalidRequest(message, "previous_response_id", "previous_response_not_found");
  }
  return { previous, conversation: undefined, items: itemsThrough(previous) };
}
