import type { Target } from "../../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { type Exchange, type Handler, keyRoute } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { ownAlias, withoutBudgets } from "../../contract/principal.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { mayUseDeployment } from "../../core/auth/deployment-permission.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { effectiveModel, requireEffectiveModel } from "../../core/call/prepare-call.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { resolveModel } from "../../core/routing/resolve-model.ts";
import { countedText, estimateDescription, pricedCall } from "./schema.ts";

/** What calls would use and cost, by LiteLLM's paths. */
export function openEstimates({ calls }: Pick<Core, "calls">): Feature {
  const routes = [
    keyRoute("POST", "/utils/token_counter", "token_counter", limited(calls, countHandler(calls))),
    keyRoute("POST", "/spend/calculate", "spend_calculate", limited(calls, priceHandler(calls))),
  ];
  return { routes, descriptions: [estimateDescription] };
}

/** An estimate costs nothing but the work, so that it counts in its caller's requests and not in its budgets. */
function limited({ limiter }: CallDeps, handler: Handler): Handler {
  return async (exchange) => {
    const { principal, family, signal } = exchange;
    const request = { family, model: "", estimatedTokens: 0, estimatedCost: 0, signal };
    const place = await limiter.reserve({ ...request, principal: withoutBudgets(principal) });
    try {
      const reply = await handler(exchange);
      return { ...reply, headers: { ...place.headers, ...reply.headers } };
    } finally {
      place.settle(undefined, 0);
    }
  };
}

function countHandler(deps: CallDeps): Handler {
  return async (exchange) => {
    const body = await parseJsonBody(exchange, countedText);
    const { model, messages, prompt, contents } = body;
    if (messages == null && prompt == null && contents == null)
      throw invalidRequest("Give messages, a prompt or contents to count", "messages");
    const meant = modelMeant(deps, exchange, model);
    const used = targetOf(deps, meant)?.model ?? meant;
    const total = await tokensOf(deps, { ...body, model: used });
    return {
      status: 200,
      body: {
        total_tokens: total,
        request_model: model,
        model_used: used,
        tokenizer_type: "local_tokenizer",
      },
    };
  };
}

function priceHandler(deps: CallDeps): Handler {
  return async (exchange) => {
    const { model, messages, completion_response: answer } = await parseJsonBody(exchange, pricedCall);
    const name = model ?? answer?.model;
    if (name == null || (messages == null && answer == null))
      throw invalidRequest("Give a model with messages, or a completion_response", "model");
    const target =
      model == null ? answeredBy(deps, exchange, name) : targetOf(deps, modelMeant(deps, exchange, name));
    if (target === undefined) throw invalidRequest(`Invalid model name passed in model=${name}`, "model");
    const usage =
      answer == null
        ? await inputUsage(deps, target, messages)
        : deps.dialectOf("chat").usageOf({ ...answer });
    const cost = usage && deps.costOf(target.deployment, target.model, usage);
    if (cost === undefined)
      throw invalidRequest(
        `${name} has no price here: set input_cost_per_token and its like at its deployment`,
        "model",
      );
    return { status: 200, body: { cost } };
  };
}

/** @throws GatewayError 403 for a model that the key may not call */
function modelMeant({ config: { current } }: CallDeps, { principal }: Exchange, name: string): string {
  const model = ownAlias(principal, name);
  const effective = effectiveModel(model, "chat", current) ?? model;
  requireEffectiveModel(principal, model, effective, "chat", current);
  return effective;
}

/** The first deployment of a model; `undefined` where no router knows the name. */
function targetOf({ config: { current } }: CallDeps, model: string): Target | undefined {
  try {
    return resolveModel(model, current).targets[0];
  } catch (thrown) {
    if (thrown instanceof GatewayError) return undefined;
    throw thrown;
  }
}

/** Answers name the provider's model: the first deployment of it that the key may use, else a model of that name. */
function answeredBy(deps: CallDeps, exchange: Exchange, name: string): Target | undefined {
  const { current } = deps.config;
  const deployment = current.deployments.find(
    (one) => one.model === name && mayUseDeployment(exchange.principal, one, current),
  );
  return deployment === undefined
    ? targetOf(deps, modelMeant(deps, exchange, name))
    : { deployment, model: deployment.model };
}

async function inputUsage(deps: CallDeps, { model }: Target, messages: unknown): Promise<Usage> {
  return { ...noUsage, input: await tokensOf(deps, { model, messages }) };
}

/** A text alone has nothing of what frames messages. */
function tokensOf(deps: CallDeps, { prompt, ...body }: JsonObject): Promise<number> {
  return deps.countTokens(prompt == null ? body : { ...body, messages: null, system: prompt });
}
