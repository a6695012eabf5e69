import { check, checkForm } from "../../contract/check.ts";
import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { hasBudget, ownAlias, type Principal, requireModel } from "../../contract/principal.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { fileNameOf, withFileName } from "../../core/http/multipart/file-name.ts";
import { nestedFields } from "../../core/http/multipart/nested-fields.ts";
import { readForm, type SpooledForm } from "../../core/http/multipart/read-form.ts";
import { budgetsAt } from "../../core/objects/budgets-at-origin.ts";
import { type ExpectedCost, governedJson } from "../../core/objects/governed-call.ts";
import { type AddressedObject, madeAt } from "../../core/objects/locate-origin.ts";
import { originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import type { HealthBook } from "../../core/routing/health.ts";
import { planAttempts } from "../../core/routing/plan.ts";
import { removeVideo } from "./delete-video.ts";
import { openVideoSource, type VideoDeps } from "./open-video-source.ts";
import { createVideoBody, createVideoForm } from "./schema.ts";
import { expectedCost, namesOfModel, registerVideo } from "./video-object.ts";
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
  const checked = (data: JsonObject) =>
    isForm ? checkForm(createVideoForm, data) : check(createVideoBody, data);
  let form: SpooledForm | undefined;
  const receive = async (): Promise<JsonObject> => {
    if (isForm) form = await readForm(exchange, formLimits);
    const data =
      form === undefined
        ? await parseJsonBody(exchange)
        : { ...nestedFields(form.fields), ...fileNameOf(form) };
    checked(data);
    return data;
  };
  let choice: ReturnType<typeof chooseOrigin> | undefined;
  const choose = (data: JsonObject) => {
    choice ??= chooseOrigin(deps, exchange, checked(data));
    return choice;
  };
  let made: { source: VideoSource; video: AddressedObject } | undefined;
  const run = async (data: JsonObject): Promise<JsonObject> => {
    const { origin, model } = choose(data);
    if (form !== undefined) form = withFileName(form, data);
    const { filename, ...rest } = withoutLitellmFields(data);
    const named = form === undefined && filename !== undefined ? { ...rest, filename } : rest;
    const fields = model === undefined ? named : { ...named, model };
    const source = openVideoSource(deps, origin);
    const begun = await source.create({ fields, form, exchange });
    made = { source, video: madeAt(origin, begun.providerId) };
    const video = await registerVideo(deps, exchange, origin, begun, data.seconds);
    made = { source, video: madeAt(origin, begun.providerId, String(video.id)) };
    return video;
  };
  const cost = (data: JsonObject): ExpectedCost => {
    const { origin, names } = choose(data);
    const budgets = budgetsAt(origin, deps.config);
    return {
      cost: expectedCost(origin, data.seconds, hasBudget(exchange.principal) || budgets !== undefined),
      models: [...names, ...namesOfModel(origin)],
      budgets,
    };
  };
  const undo = async (): Promise<void> => {
    if (made !== undefined) await removeVideo(deps, made.source, made.video, exchange);
  };
  try {
    return await governedJson(deps, exchange, receive, run, { cost, undo });
  } finally {
    await form?.remove();
  }
}

/** What of a request decides who makes its video. */
interface NewVideoFields {
  readonly model?: string | null | undefined;
  readonly custom_llm_provider?: string | null | undefined;
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
  data: NewVideoFields,
): { origin: Origin; model: string | undefined; names: readonly string[] } {
  const { custom_llm_provider: named } = data;
  const given = data.model ? ownAlias(exchange.principal, data.model) : undefined;
  const { modelAliasMap } = deps.config.current.gatewaySettings;
  const model = given !== undefined && Object.hasOwn(modelAliasMap, given) ? modelAliasMap[given]! : given;
  requireModel(exchange.principal, given ?? DEFAULT_MODEL, model ?? DEFAULT_MODEL);
  const names = [data.model, given, model ?? DEFAULT_MODEL].filter((name) => typeof name === "string");
  const target = model === undefined ? undefined : routedTarget(deps, model, exchange.principal);
  if (target !== undefined) {
    exchange.call.model = model;
    const { deployment } = target;
    const provider = deps.findProvider(deployment.provider)?.name ?? deployment.provider;
    return {
      origin: { deployment, provider },
      model: target.model,
      names,
    };
  }
  const provider = named || DEFAULT_PROVIDER;
  return { origin: originOfProvider(deps, provider, "videos", exchange.principal), model, names };
}

/** The deployment that the router chooses for a model; `undefined` when it knows no such model. */
function routedTarget(
  deps: Pick<ResourceDeps, "config"> & { readonly health: HealthBook },
  model: string,
  principal: Principal,
): Target | undefined {
  try {
    const request = { model, region: principal.allowedModelRegion };
    const context = { health: deps.health, random: Math.random, price: () => undefined };
    const plan = planAttempts(request, deps.config.current, context);
    return plan.attempts[0];
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return undefined;
    throw error;
  }
}
