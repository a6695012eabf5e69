import type { Exchange, Reply } from "../../contract/exchange.ts";
import { isJsonObject } from "../../contract/json.ts";
import { chooseProvider } from "../../resources/choose-provider.ts";
import { governedJson } from "../../resources/governed-call.ts";
import { forwardedQuery, visiblePage } from "../../resources/list-page.ts";
import { originOfProvider } from "../../resources/origin-of-provider.ts";
import { ResourceClient } from "../../resources/resource-client.ts";
import type { ResourceDeps } from "../../resources/resource-deps.ts";
import { defaultProvider } from "../../routing/direct-deployment.ts";
import { optionalBody } from "./address-video.ts";
import { withSourceId } from "./video-object.ts";

/** Lists a provider's videos: header, query, then body name it; set for hooks only when found (spec). */
export async function listVideos(deps: ResourceDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalBody(exchange);
  const named = chooseProvider(exchange, ["header", "query", "body"], { body });
  const data = {
    ...body,
    query_params: Object.fromEntries(exchange.query),
    ...(named === undefined ? {} : { custom_llm_provider: named }),
  };
  return governedJson(deps, exchange, data, async (changed) => {
    const origin = originOfProvider(deps, String(changed.custom_llm_provider ?? defaultProvider), "videos");
    const query = await forwardedQuery(deps.ownership, "video", exchange);
    const answer = await new ResourceClient(deps).json(
      origin,
      { method: "GET", path: "/videos", query },
      exchange,
    );
    const page = await visiblePage(deps.ownership, "video", answer, exchange);
    const videos = (page.data as unknown[]).filter(isJsonObject);
    return { ...page, data: await Promise.all(videos.map((video) => withSourceId(deps.ownership, video))) };
  });
}
