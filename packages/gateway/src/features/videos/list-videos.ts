import type { Exchange, Reply } from "../../contract/exchange.ts";
import { isJsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { mayUseDeployment, noDeployment } from "../../core/auth/deployment-permission.ts";
import { chooseProvider, isAbsent } from "../../core/objects/choose-provider.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { configuredOrigin, originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { selectorOrder } from "../../core/objects/selector-order.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { optionalBody } from "./address-video.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { VideoDeps } from "./video-deps.ts";
import { withSourceId } from "./video-object.ts";

/** Lists a provider's videos: header, query, then body name it; set for hooks only when found (spec). */
export async function listVideos(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalBody(exchange);
  const named = chooseProvider(exchange, selectorOrder["GET videos"], { body });
  const data = {
    ...body,
    query_params: Object.fromEntries(exchange.query),
    ...(named === undefined ? {} : { custom_llm_provider: named }),
  };
  return governedJson(deps, exchange, data, async (changed) => {
    const origin = listedOrigin(deps, changed.custom_llm_provider, exchange.principal);
    const page = await openVideoSource(deps, origin).list(exchange);
    const videos = (page.data as unknown[]).filter(isJsonObject);
    return { ...page, data: await Promise.all(videos.map((video) => withSourceId(deps.ownership, video))) };
  });
}

/** Where the default provider is not configured, a list without a selector is of the first that has videos. */
function listedOrigin(deps: VideoDeps, named: unknown, principal: Principal): Origin {
  const { config, findProvider } = deps;
  if (!isAbsent(named)) return originOfProvider(deps, String(named), "videos", principal);
  const usual = configuredOrigin(deps, DEFAULT_PROVIDER, "videos", principal);
  if (usual !== undefined) return usual;
  const current = config.current();
  const withVideos = current.deployments.filter(({ provider }) =>
    findProvider(provider)?.resources.has("videos"),
  );
  const deployment = withVideos.find((one) => mayUseDeployment(principal, one, current));
  if (deployment === undefined && withVideos.length > 0) throw noDeployment();
  const name = deployment && findProvider(deployment.provider)?.name;
  return name === undefined
    ? originOfProvider(deps, DEFAULT_PROVIDER, "videos", principal)
    : { deployment, provider: name };
}
