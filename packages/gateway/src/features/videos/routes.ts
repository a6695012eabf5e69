import { checkQuery } from "../../contract/check.ts";
import { GatewayError } from "../../contract/errors.ts";
import { type Exchange, keyRoute, type Reply, type Route } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optionalJsonBody, parseJsonBody } from "../../contract/json-body.ts";
import { hasBudget, type Principal } from "../../contract/principal.ts";
import { mayUseDeployment, noDeployment } from "../../core/auth/deployment-permission.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { budgetsAt } from "../../core/objects/budgets-at-origin.ts";
import { chooseProvider, isAbsent, selectorOrder } from "../../core/objects/choose-provider.ts";
import { type ExpectedCost, governedJson } from "../../core/objects/governed-call.ts";
import { type AddressedObject, madeAt } from "../../core/objects/locate-origin.ts";
import { configuredOrigin, originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { addressVideo, steeredVideo, videoData, videoDataAsFound } from "./address-video.ts";
import { createVideo } from "./create-video.ts";
import { deleteVideo, removeVideo } from "./delete-video.ts";
import { openVideoSource, type VideoDeps } from "./open-video-source.ts";
import { remixVideoBody, videoQuery } from "./schema.ts";
import type { StoredVideo } from "./stored-videos.ts";
import { videoContent } from "./video-content.ts";
import { expectedCost, LONGEST_SECONDS, namesOfModel, registerVideo, withSourceId } from "./video-object.ts";

/** Videos (spec: Videos; OpenAI API reference: Videos), with and without `/v1`. */
export function videoRoutes(deps: VideoDeps): Route[] {
  return ["/v1/videos", "/videos", "/openai/v1/videos"].flatMap((base) => [
    keyRoute("POST", base, "avideo_generation", (exchange) => createVideo(deps, exchange)),
    keyRoute("GET", base, "avideo_list", (exchange) => listVideos(deps, exchange)),
    keyRoute("GET", `${base}/:videoId`, "avideo_status", (exchange) => videoStatus(deps, exchange)),
    keyRoute("GET", `${base}/:videoId/content`, "avideo_content", (exchange) => videoContent(deps, exchange)),
    keyRoute("POST", `${base}/:videoId/remix`, "avideo_remix", (exchange) => remixVideo(deps, exchange)),
    keyRoute("DELETE", `${base}/:videoId`, "avideo_delete", (exchange) => deleteVideo(deps, exchange)),
  ]);
}

/** Lists a provider's videos: header, query, then body name it; set for hooks only when found (spec). */
async function listVideos(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalJsonBody(exchange);
  checkQuery(videoQuery, exchange.query);
  const named = chooseProvider(exchange, selectorOrder["GET videos"], { body });
  const data = {
    ...body,
    query_params: Object.fromEntries(exchange.query),
    ...(named === undefined ? {} : { custom_llm_provider: named }),
  };
  return governedJson(deps, exchange, data, async (changed) => {
    const origin = listedOrigin(deps, changed.custom_llm_provider, exchange.principal);
    const page = await openVideoSource(deps, origin).list(steeredExchange(exchange, data, changed));
    const videos = (page.data as unknown[]).filter(isJsonObject);
    const shown = videos.map((video) => withSourceId(deps.ownership, video, origin));
    return { ...page, data: await Promise.all(shown) };
  });
}

/** Where the default provider is not configured, a list without a selector is of the first that has videos. */
function listedOrigin(deps: VideoDeps, named: unknown, principal: Principal): Origin {
  const { config, findProvider } = deps;
  if (!isAbsent(named)) return originOfProvider(deps, String(named), "videos", principal);
  const usual = configuredOrigin(deps, DEFAULT_PROVIDER, "videos", principal);
  if (usual !== undefined) return usual;
  const current = config.current;
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

/** Makes a new video out of a finished one, with the credentials that made the first. */
async function remixVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await parseJsonBody(exchange, remixVideoBody);
  const addressed = await addressVideo(deps, exchange, body);
  const data = videoDataAsFound(addressed, body);
  let made: AddressedObject | undefined;
  const run = async (changed: JsonObject): Promise<JsonObject> => {
    const { video: source } = await steeredVideo(deps, exchange, addressed, data, changed);
    const { origin } = source;
    const { video_id, ...rest } = withoutLitellmFields(changed);
    const begun = await openVideoSource(deps, origin).remix(source, rest, exchange);
    made = madeAt(origin, begun.providerId);
    const video = await registerVideo(deps, exchange, origin, begun, LONGEST_SECONDS);
    made = madeAt(origin, begun.providerId, String(video.id));
    return video;
  };
  const undo = async (): Promise<void> => {
    if (made !== undefined) await removeVideo(deps, openVideoSource(deps, made.origin), made, exchange);
  };
  const cost = (): ExpectedCost => {
    const budgets = budgetsAt(addressed.origin, deps.config);
    const isHeld = hasBudget(exchange.principal) || budgets !== undefined;
    return {
      cost: expectedCost(addressed.origin, LONGEST_SECONDS, isHeld),
      models: namesOfModel(addressed.origin),
      budgets,
    };
  };
  return governedJson(deps, exchange, data, run, { cost, undo });
}

/** How far a video is. */
async function videoStatus(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalJsonBody(exchange);
  const addressed = await addressVideo(deps, exchange, body);
  const data = videoData(addressed, body);
  return governedJson(deps, exchange, data, async (changed) => {
    const { video } = await steeredVideo(deps, exchange, addressed, data, changed);
    const copy = await deps.stored?.find(video.id);
    const answer = await openVideoSource(deps, video.origin)
      .retrieve(video, exchange)
      .catch((error: unknown) => storedInstead(error, copy));
    return withSourceId(deps.ownership, { ...answer, id: video.id }, video.origin);
  });
}

/** A video that its provider has forgotten is as it was when it was stored, and does not expire any more. */
function storedInstead(error: unknown, copy: StoredVideo | undefined): JsonObject {
  if (copy === undefined || !(error instanceof GatewayError) || error.status !== 404) throw error;
  return { ...copy.video, expires_at: null };
}
