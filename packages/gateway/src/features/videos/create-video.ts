import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { requireModel } from "../../contract/model-permission.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { nestedFields } from "../../core/http/multipart/nested-fields.ts";
import { readForm } from "../../core/http/multipart/read-form.ts";
import type { SpooledForm } from "../../core/http/multipart/spooled-form.ts";
import { isAbsent } from "../../core/objects/choose-provider.ts";
import { governedUpload } from "../../core/objects/governed-call.ts";
import { type AddressedObject, madeAt } from "../../core/objects/locate-origin.ts";
import { originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { routedTarget } from "../../core/objects/routed-target.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { removeVideo } from "./delete-video.ts";
import { expectedCost } from "./expected-cost.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { VideoDeps } from "./video-deps.ts";
import { registerVideo } from "./video-object.ts";
import type { VideoSource } from "./video-source.ts";

/** A field may hold an image as a `data:` URL. */
const formLimits = {
  fileFields: ["input_reference"],
  maxFiles: 1,
  maxFileBytes: 2 * 1024 ** 3,
  maxFieldBytes: 32 * 1024 ** 2,
};

/** Creates a video from JSON, or from a form that may carry a reference file, which goes by way of the disk. */
export async function createVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const isForm = /^multipart\//i.test(exchange.headers["content-type"] ?? "");
  let form: SpooledForm | undefined;
  const receive = async (): Promise<JsonObject> => {
    if (isForm) form = await readForm(exchange, formLimits);
    const data = form === undefined ? await parseJsonBody(exchange) : nestedFields(form.fields);
    requirePrompt(data);
    return data;
  };
  let choice: ReturnType<typeof chooseOrigin> | undefined;
  const choose = (data: JsonObject) => {
    requirePrompt(data);
    choice ??= chooseOrigin(deps, exchange, data);
    return choice;
  };
  let made: { source: VideoSource; video: AddressedObject } | undefined;
  const run = async (data: JsonObject): Promise<JsonObject> => {
    const { origin, model } = choose(data);
    const rest = withoutLitellmFields(data);
    const fields = model === undefined ? rest : { ...rest, model };
    const source = openVideoSource(deps, origin);
    const begun = await source.create({ fields, form, exchange });
    made = { source, video: madeAt(origin, begun.providerId) };
    const video = await registerVideo(deps, exchange, origin, begun);
    made = { source, video: madeAt(origin, begun.providerId, String(video.id)) };
    return video;
  };
  const cost = (data: JsonObject): number =>
    expectedCost(choose(data).origin, data.seconds, exchange.principal);
  const undo = async (): Promise<void> => {
    if (made !== undefined) await removeVideo(deps, made.source, made.video, exchange);
  };
  try {
    return await governedUpload(deps, exchange, receive, run, { cost, undo });
  } finally {
    await form?.remove();
  }
}

function requirePrompt({ prompt }: JsonObject): void {
  if (typeof prompt !== "string" || prompt === "") throw invalidRequest("prompt is required", "prompt");
}

/** What OpenAI takes where a request names no model. */
const DEFAULT_MODEL = "sora-2";

/**
 * Who makes a new video. The handler applies no selector of its own (spec): the model's deployment where the router
 * knows it, else the provider that the body names, else the default one.
 */
function chooseOrigin(
  deps: VideoDeps,
  exchange: Exchange,
  data: JsonObject,
): { origin: Origin; model: string | undefined } {
  const { custom_llm_provider: named } = data;
  const given = isAbsent(data.model) ? undefined : data.model;
  if (given !== undefined && typeof given !== "string")
    throw invalidRequest("model must be a string", "model");
  const { modelAliasMap } = deps.config.current().gatewaySettings;
  const model = given !== undefined && Object.hasOwn(modelAliasMap, given) ? modelAliasMap[given]! : given;
  requireModel(exchange.principal, given ?? DEFAULT_MODEL, model ?? DEFAULT_MODEL);
  const target = model === undefined ? undefined : routedTarget(deps, model, exchange.principal);
  if (target !== undefined) {
    exchange.call.model = model;
    const { deployment } = target;
    const provider = deps.findProvider(deployment.provider)?.name ?? deployment.provider;
    return {
      origin: { deployment, provider },
      model: target.model,
    };
  }
  const provider = isAbsent(named) ? DEFAULT_PROVIDER : String(named);
  return { origin: originOfProvider(deps, provider, "videos", exchange.principal), model };
}
