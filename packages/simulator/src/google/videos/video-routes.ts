import { readDirectives } from "../../answers/directives.ts";
import { MIN_VIDEO } from "../../answers/video-bytes.ts";
import { mergeBehaviour } from "../../faults/behaviour.ts";
import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { throwStatusFault } from "../../http/status-fault.ts";
import { baseAddress } from "../base-address.ts";
import { modelNotFound, notFound } from "../failures.ts";
import type { GoogleAccount } from "../google-account.ts";
import { checkedPrompt } from "./check-video-request.ts";
import { endOf, operationResource } from "./video-operation.ts";

/** Veo: start a video and look how far it is. Its bytes are a file of the account. */
export function videoRoutes(account: GoogleAccount): Route[] {
  const model = "/{version}/models/{model}";
  return [
    {
      method: "POST",
      pattern: `${model}:predictLongRunning`,
      handle: (exchange) => start(exchange, account),
    },
    { method: "GET", pattern: `${model}/operations/{id}`, handle: (exchange) => look(exchange, account) },
  ];
}

function start(exchange: Exchange, account: GoogleAccount): Reply {
  const { state, params, text } = exchange;
  const model = params.model ?? "";
  if (!model.startsWith("veo")) throw modelNotFound(model, "predictLongRunning");
  const directives = readDirectives(checkedPrompt(exchange.body));
  exchange.behaviour = mergeBehaviour(exchange.behaviour, directives.behaviour);
  throwStatusFault(exchange.behaviour);
  const { videoQueuedMs, videoRunningMs, videoBytes } = state.settings;
  const name = `models/${model}/operations/${state.ids.next("", text, 12).toLowerCase()}`;
  account.videos.set(name, {
    name,
    created: state.clock(),
    runningMs: videoQueuedMs + videoRunningMs,
    bytes: Math.max(MIN_VIDEO, videoBytes),
    end: endOf(directives.flags),
    file: undefined,
  });
  return json({ name });
}

async function look(exchange: Exchange, account: GoogleAccount): Promise<Reply> {
  const { model, id } = exchange.params;
  const operation = account.videos.get(`models/${model}/operations/${id}`);
  if (operation === undefined) throw notFound("Requested entity was not found.");
  return json(await operationResource(operation, exchange.state, account.files, baseAddress(exchange)));
}
