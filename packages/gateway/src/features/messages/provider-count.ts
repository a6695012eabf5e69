import { deploymentServing, type Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { planAttempts } from "../../core/routing/plan.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";

/** Seconds that a provider's counter may take before the local one answers. */
const MAX_COUNT = 10;
const MAX_ANSWER_BYTES = 65_536;

/** The provider's count of a request's tokens; `undefined` where it has no counter or the counter does not answer. */
export async function countAtProvider(
  deps: CallDeps,
  exchange: Exchange,
  model: string,
  body: JsonObject,
): Promise<number | undefined> {
  try {
    const region = exchange.principal.allowedModelRegion;
    const context = { health: deps.health, random: deps.random ?? Math.random, price: () => undefined };
    const [target] = planAttempts({ model, region }, deps.config.current(), context).attempts;
    return target === undefined ? undefined : await ask(deps, exchange, target, body);
  } catch (thrown) {
    // An unknown model, a silent provider, a key without that right: the local count is better than none.
    if (thrown instanceof GatewayError) return undefined;
    throw thrown;
  }
}

async function ask(
  deps: CallDeps,
  { headers, signal, call, principal }: Exchange,
  target: Target,
  body: JsonObject,
): Promise<number | undefined> {
  const { deployment, model } = target;
  const provider = deps.findProvider(deployment.provider);
  if (provider === undefined || !provider.resources.has("count_tokens")) return undefined;
  const operation = { method: "POST", path: upstreamPath`/messages/count_tokens`, model };
  const address = provider.address(deployment, operation);
  const beta = headers["anthropic-beta"];
  const caller = { principal, record: call, signal };
  const changes = Object.fromEntries(await deps.references.changes(body, caller, target, true));
  const response = await deps.upstream.request({
    url: address.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...address.headers,
      ...(typeof beta === "string" ? { "anthropic-beta": beta } : {}),
    },
    body: Buffer.from(JSON.stringify({ ...body, ...changes, model })),
    timeouts: { whole: MAX_COUNT },
    signal,
  });
  if (response.status !== 200) {
    response.body.cancel();
    return undefined;
  }
  const answer = parseJsonObject((await response.body.bytes(MAX_ANSWER_BYTES)).toString("utf8"));
  if (typeof answer?.input_tokens !== "number") return undefined;
  call.deployment = deploymentServing(target);
  call.provider = deployment.provider;
  return answer.input_tokens;
}
