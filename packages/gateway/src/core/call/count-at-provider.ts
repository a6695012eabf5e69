import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { UpstreamPath } from "../../contract/upstream-path.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";
import { planAttempts } from "../routing/plan.ts";
import type { CallDeps } from "./model-call.ts";

/** Seconds that a provider's counter may take before the local one answers. */
const MAX_COUNT = 10;
const MAX_ANSWER_BYTES = 65_536;

/** How a format's providers count tokens. */
export interface ProviderCounter {
  readonly format: WireFormat;
  path(model: string): UpstreamPath;
  /** The request for a deployment. */
  body(target: Target): Promise<JsonObject>;
  read(answer: JsonObject): unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The provider's count of a request's tokens; `undefined` where it has no counter or the counter does not answer. */
export async function countAtProvider(
  deps: CallDeps,
  exchange: Exchange,
  model: string,
  counter: ProviderCounter,
): Promise<number | undefined> {
  try {
    const region = exchange.principal.allowedModelRegion;
    const context = { health: deps.health, random: deps.random ?? Math.random, price: () => undefined };
    const [target] = planAttempts({ model, region }, deps.config.current, context).attempts;
    return target === undefined ? undefined : await ask(deps, exchange, target, counter);
  } catch (thrown) {
    // An unknown model, a silent provider, a key without that right: the local count is better than none.
    if (thrown instanceof GatewayError) return undefined;
    throw thrown;
  }
}

async function ask(
  deps: CallDeps,
  { signal, call }: Exchange,
  target: Target,
  counter: ProviderCounter,
): Promise<number | undefined> {
  const { deployment, model } = target;
  const provider = deps.findProvider(deployment.provider);
  if (provider === undefined || !counts(provider, counter, model)) return undefined;
  const address = provider.address(deployment, { method: "POST", path: counter.path(model), model });
  const fetched = await provider.authorize?.(deployment, upstreamFetch(deps.upstream), signal);
  const response = await deps.upstream.request({
    url: address.url,
    method: "POST",
    headers: { "content-type": "application/json", ...address.headers, ...fetched, ...counter.headers },
    body: Buffer.from(JSON.stringify(await counter.body(target))),
    timeouts: { whole: Math.min(MAX_COUNT, deps.config.current.gatewaySettings.requestTimeout) },
    signal,
    isRepeatable: true,
  });
  if (response.status !== 200) {
    response.body.cancel();
    return undefined;
  }
  const answer = parseJsonObject((await response.body.bytes(MAX_ANSWER_BYTES)).toString("utf8"));
  const tokens = answer && counter.read(answer);
  if (typeof tokens !== "number") return undefined;
  call.deployment = deployment;
  call.provider = deployment.provider;
  return tokens;
}

function counts(provider: Provider, { format }: ProviderCounter, model: string): boolean {
  if (!provider.resources.has("count_tokens") || !provider.native.has(format)) return false;
  return provider.takesNative?.(format, model) !== false;
}
