import { isDeepStrictEqual } from "node:util";
import type { Target } from "../../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { HookContext } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { PassingBytes } from "../../contract/json-body.ts";
import { type NamingRequest, namedBy, sessionNamed, withNamed } from "../../contract/naming-request.ts";
import {
  isBoundToModels,
  type Named,
  ownAlias,
  type Principal,
  requireModel,
} from "../../contract/principal.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import { requireParams } from "../auth/restrictions.ts";
import type { CallHooks } from "../hooks/hook-runner.ts";
import type { Reservation } from "../limits/limiter.ts";
import type { Answer } from "./answer.ts";
import { readCacheControls } from "./cache-controls.ts";
import { callNotes, LABELS_HEADER } from "./call-notes.ts";
import { refuseWithoutEffect } from "./litellm-fields.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import { mockedAnswer, readSteering, type Steering } from "./steering.ts";

/** A call that may be routed: the model is known, the hooks have seen it, the key may call it. */
export interface PreparedCall {
  readonly deps: CallDeps;
  readonly call: ModelCall;
  /** The configuration in force when the call began; a reload does not change a running call. */
  readonly config: GatewayConfig;
  /** After overrides and aliases. */
  readonly model: string;
  /** The request data after the pre-call hooks. */
  readonly data: JsonObject;
  /** The caller's bytes as long as they say what the hooks saw and left, and somebody may have to send them. */
  raw: PassingBytes | undefined;
  readonly stream: boolean;
  readonly steering: Steering;
  readonly hooks: CallHooks;
  readonly hookContext: HookContext;
  /** The text that the caller wants for an answer, so that nobody is called. */
  readonly mockedText: string | undefined;
  /** Aborted when nobody wants the attempts any more: with the call's signal, or when a hook beside them refuses. */
  readonly signal: CallSignal;
  /** Attempts that nobody waits for any more and that are billed all the same. */
  readonly left: LeftAttempt[];
}

/** An attempt that goes on without its call. */
export interface LeftAttempt {
  readonly target: Target;
  readonly answer: Promise<Answer>;
  /** Of its deployment's budgets. */
  readonly share: Reservation | undefined;
}

/** Characters of a model's name, which headers, log and spend log repeat; longer ones have no meaning. */
const MAX_MODEL_CHARACTERS = 1000;

/**
 * Resolves the model's name, runs the pre-call hooks and checks the key's permission.
 * @throws GatewayError 400 for a missing or wrong `model`, `stream` or `cache` or a field without effect, 403, or a hook's refusal
 */
export function prepareCall(
  deps: CallDeps,
  call: ModelCall,
  hooks: CallHooks,
): PreparedCall | Promise<PreparedCall> {
  const scopes = deps.scopes?.named;
  return scopes === undefined
    ? prepareScoped(deps, call, hooks, call.principal)
    : scopes
        .scoped(call.principal, call)
        .then((principal) => prepareScoped(deps, { ...call, principal }, hooks, call.principal));
}

/** @param unnamed the principal without what the request names */
function prepareScoped(
  deps: CallDeps,
  call: ModelCall,
  hooks: CallHooks,
  unnamed: Principal,
): PreparedCall | Promise<PreparedCall> {
  const config = deps.config.current;
  refuseWithoutEffect(call.body);
  if (call.principal.restrictions !== undefined) requireParams(call.principal, call);
  const requested = meantModel(call);
  const model = effectiveModel(requested, call.format, config);
  if (model === undefined) throw missingModel();
  call.record.model = model;
  call.record.named = namesOf(call.principal, call);
  call.record.session = sessionNamed(call);
  const given = model === call.body.model ? call.body : { ...call.body, model };
  const context: HookContext = {
    callId: call.callId,
    callType: call.record.callType,
    principal: call.principal,
    ...(call.record.trace === undefined ? {} : { traceparent: call.record.trace.traceparent }),
    data: given,
  };
  const finish = (data: JsonObject, isUnchanged: boolean, principal = call.principal): PreparedCall => {
    const hookContext = isUnchanged ? context : { ...context, data };
    // As the hooks left it: what they take out is nowhere in the log.
    if (call.record.session !== undefined || bringsLabels(data, call.headers))
      call.record.notes = callNotes(data, call.headers);
    const named = principal === call.principal ? call : { ...call, principal };
    return { ...withData(named, config, requested, data, isUnchanged), deps, hooks, hookContext };
  };
  if (hooks.preCall === undefined) return finish(given, true);
  // A change in place shows in no other object: then nothing of what came counts any more.
  const keepsBytes = hooks.changesInPlace?.("preCall") !== true;
  return hooks.preCall(context).then(async (data) => {
    await call.adapter?.hooked?.(data);
    const isUnchanged = keepsBytes && data === given;
    return finish(data, isUnchanged, isUnchanged ? undefined : await renamed(deps, call, unnamed, data));
  });
}

/** What a request names, and what the request named that it goes on for: a job has no headers of its own. */
function namesOf(principal: Principal, request: NamingRequest): Named {
  const named = namedBy(principal, request);
  return principal.named === undefined ? named : withNamed(principal, named).named!;
}

/**
 * A call counts in the customer and the tags that the hooks leave in its data.
 * @throws GatewayError 403 for a customer that is blocked
 */
async function renamed(
  { scopes }: CallDeps,
  { headers, record, principal }: ModelCall,
  unnamed: Principal,
  data: JsonObject,
): Promise<Principal> {
  const request = { headers, body: data };
  const named = namesOf(unnamed, request);
  if (isDeepStrictEqual(named, record.named)) return principal;
  record.named = named;
  return scopes?.named === undefined ? principal : scopes.named.scoped(unnamed, request);
}

/**
 * The model that a call means: the server's completion model, else the caller's; the command line's model overrides
 * both; then the alias map. Embeddings keep the caller's name, because completion models cannot serve them.
 * Source: the spec's messages rules 1 and 3.
 */
export function effectiveModel(
  requested: string | undefined,
  format: WireFormat,
  config: GatewayConfig,
): string | undefined {
  const { commandLine, generalSettings, gatewaySettings } = config;
  const completion = format !== "embeddings";
  const model =
    (completion ? (commandLine.model ?? generalSettings.completionModel) : undefined) ?? requested;
  if (model === undefined) return undefined;
  const aliases = gatewaySettings.modelAliasMap;
  return Object.hasOwn(aliases, model) ? aliases[model] : model;
}

/** The call with the request data that the hooks made of the given ones. */
function withData(
  call: ModelCall,
  config: GatewayConfig,
  requested: string | undefined,
  data: JsonObject,
  isUnchanged: boolean,
): Omit<PreparedCall, "deps" | "hooks" | "hookContext"> {
  const before = call.record.model!;
  const model = isUnchanged ? before : (requestedModel(data) ?? before);
  call.record.model = model;
  requireEffectiveModel(call.principal, requested, model, call.format, config);
  if (data.cache !== undefined || data.caching !== undefined) readCacheControls(data);
  const stream = wantsStream(data);
  requireGivenWay(call, data, stream);
  call.record.streamed = stream;
  return {
    call,
    config,
    model,
    data,
    raw: isUnchanged ? call.raw : undefined,
    stream,
    steering: readSteering(call.headers, data, call.format),
    mockedText: mockedAnswer(data, call.format === "embeddings"),
    signal: call.signal,
    left: [],
  };
}

/**
 * A key needs the permission for the name that it used or for what that stands for. A model that the operator chose for
 * all calls of the format, whatever callers name, needs none; after the alias map.
 * @param requested the caller's name for it; `undefined` when the caller named none
 * @param model what it stands for, by `effectiveModel` or by a hook
 * @throws GatewayError 403
 */
export function requireEffectiveModel(
  principal: Principal,
  requested: string | undefined,
  model: string,
  format: WireFormat,
  config: GatewayConfig,
): void {
  if (!isBoundToModels(principal) || model === effectiveModel(undefined, format, config)) return;
  requireModel(principal, requested ?? model, model);
}

/** The model that the caller names, by the names that its key or its team has for models. */
function meantModel({ body, principal }: ModelCall): string | undefined {
  const named = requestedModel(body);
  return named === undefined || principal.modelAliases === undefined ? named : ownAlias(principal, named);
}

function requestedModel(body: JsonObject): string | undefined {
  // Servers written in Go take a member's name in any case, and would read another model than the one checked here.
  for (const name in body) {
    if (name.length === 5 && name !== "model" && name.toLowerCase() === "model")
      throw invalidRequest(`${name} is not a field; the model stands in "model"`, name);
  }
  const { model } = body;
  if (model === undefined || model === null || model === "") return undefined;
  if (typeof model !== "string") throw invalidRequest("model must be a string", "model");
  if (model.length > MAX_MODEL_CHARACTERS)
    throw invalidRequest(`model must have at most ${MAX_MODEL_CHARACTERS} characters`, "model");
  return model;
}

function wantsStream({ stream }: JsonObject): boolean {
  if (stream === undefined || stream === null) return false;
  if (typeof stream !== "boolean") throw invalidRequest("stream must be true or false", "stream");
  return stream;
}

/**
 * A call that is made for something else, such as a row of a batch, is answered in the one way that this takes.
 * @throws GatewayError 500 where a hook changes it
 */
function requireGivenWay(call: ModelCall, { background }: JsonObject, stream: boolean): void {
  const changed =
    call.streams !== undefined && stream !== call.streams
      ? "stream"
      : call.format === "responses" && call.adapter === undefined && background === true
        ? "background"
        : undefined;
  if (changed !== undefined) throw changedWay(changed, "a call of this kind");
}

/** The refusal of a hook's change to how a call is answered, where that is settled before its hooks run. */
export function changedWay(field: string, what: string): GatewayError {
  const message = `A preCall hook changed ${field}, which ${what} has to have from its caller; refuse the call instead`;
  return new GatewayError(500, "api_error", message, { param: field, retryable: false });
}

function missingModel(): GatewayError {
  const text = "completion: Invalid model name passed in model=None";
  const message = `${text}; name one of those that GET /v1/models lists`;
  return new GatewayError(400, "invalid_request_error", message, { param: "model", detail: { error: text } });
}

/** Whether a request may bring labels. */
function bringsLabels(
  { metadata, litellm_metadata: ofLitellm }: JsonObject,
  headers: ModelCall["headers"],
): boolean {
  return metadata !== undefined || ofLitellm !== undefined || headers[LABELS_HEADER] !== undefined;
}
