import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { mockProvider, mockResponse } from "../../providers/mock/mock-provider.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import type { Reservation } from "../limits/limiter.ts";
import { failureKind } from "../routing/fallbacks.ts";
import type { RestRules } from "../routing/health.ts";
import { deploymentServing, type Target } from "../routing/resolve-model.ts";
import type { Answer } from "./answer.ts";
import { expectedUsage } from "./estimate.ts";
import { namesPictures } from "./inline-media.ts";
import { isMissingOperation } from "./missing-operation.ts";
import { mockedAnswer } from "./mock-wish.ts";
import type { CallDeps } from "./model-call.ts";
import { attemptNative } from "./native-attempt.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { attemptTranslated } from "./translated-attempt.ts";

/** An answer, the deployment that gave it, and what is still to be settled there. */
export interface AttemptResult {
  readonly answer: Answer;
  readonly target: Target;
  /** Called once when the answer is over. */
  readonly settle: (usage: Usage | undefined, cost: number | undefined) => void;
  /** The stream broke after it had begun. */
  readonly broke: (error: GatewayError) => void;
}

/**
 * Tries one deployment once and reports to its health how that went.
 * @throws GatewayError why there is no answer; 429 with `limited` when the deployment's own limits left no room
 */
export async function attempt(
  deps: CallDeps,
  prepared: PreparedCall,
  planned: Target,
  signal: CallSignal,
): Promise<AttemptResult> {
  const wished = mockedAnswer(prepared.data, prepared.call.format);
  const target = mocking(overridden(prepared, planned), wished);
  const { deployment } = target;
  const { health } = deps;
  const mocked = mockResponse(deployment) !== undefined;
  const provider = mocked ? mockProvider : deps.findProvider(deployment.provider);
  if (provider === undefined) throw unknownProvider(deployment);
  const reservation = isLimited(deployment) ? await reserveDeployment(deps, prepared, target) : undefined;
  const { call, format } = prepared.call;
  call.deployment = deploymentServing(target);
  call.provider = deployment.provider;
  const rules: RestRules = prepared.config.routerSettings;
  const startedAt = performance.now();
  health.began(deployment.id);
  try {
    const native =
      provider.native.has(format) &&
      !(format === "responses" && health.lacks(deployment.id, format)) &&
      !(provider.takesNoAddresses === true && namesPictures(prepared.data));
    const answer =
      native && format === "responses"
        ? await nativeOrTranslated(deps, prepared, target, provider, signal)
        : await run(deps, prepared, target, provider, signal, native);
    const elapsed = performance.now() - startedAt;
    call.upstreamMs += elapsed;
    if (wished === undefined) health.succeeded(deployment.id, elapsed);
    else health.abandoned(deployment.id);
    const settle = (usage: Usage | undefined, cost: number | undefined): void => {
      health.ended(deployment.id);
      if (usage !== undefined) health.used(deployment.id, usage.input + usage.output);
      reservation?.settle(usage, cost);
    };
    return { answer, target, settle, broke: (error) => health.failed(deployment.id, error, rules) };
  } catch (thrown) {
    call.upstreamMs += performance.now() - startedAt;
    const error = thrown instanceof GatewayError ? thrown : unexpected(thrown);
    // A failure that its caller wished for must not put the deployment to rest for others.
    if (signal.aborted || wished !== undefined || failureKind(error) !== "general")
      health.abandoned(deployment.id);
    else health.failed(deployment.id, error, rules);
    health.ended(deployment.id);
    reservation?.release();
    throw error;
  }
}

function run(
  deps: CallDeps,
  prepared: PreparedCall,
  target: Target,
  provider: Provider,
  signal: CallSignal,
  native: boolean,
): Promise<Answer> {
  const { tailor, call } = prepared.call;
  call.native = native;
  const send = native ? attemptNative : attemptTranslated;
  if (tailor === undefined) return send(deps, prepared, target, provider, signal);
  return tailor
    .changes(prepared.data, target, native)
    .then((tailored) => send(deps, { ...prepared, tailored }, target, provider, signal));
}

/** Many hosts that speak OpenAI's API have its chat completions only; such a one gets the call translated. */
async function nativeOrTranslated(
  deps: CallDeps,
  prepared: PreparedCall,
  target: Target,
  provider: Provider,
  signal: CallSignal,
): Promise<Answer> {
  try {
    return await run(deps, prepared, target, provider, signal, true);
  } catch (missing) {
    if (!isMissingOperation(missing)) throw missing;
    const answer = await run(deps, prepared, target, provider, signal, false).catch(() => {
      throw missing;
    });
    deps.health.noteLacking(target.deployment.id, prepared.call.format);
    return answer;
  }
}

/** The command line's address stands in place of the deployment's (the spec's messages rule 2). */
function overridden({ config }: PreparedCall, target: Target): Target {
  const { apiBase } = config.commandLine;
  return apiBase === undefined ? target : { ...target, deployment: { ...target.deployment, apiBase } };
}

/** The deployment with the answer that the caller wants, so that nobody is called. */
function mocking(target: Target, text: string | undefined): Target {
  if (text === undefined) return target;
  const { deployment } = target;
  return { ...target, deployment: { ...deployment, params: { ...deployment.params, mock_response: text } } };
}

/** The refusal of a deployment's own limits; another deployment may have room. */
export class DeploymentFull extends GatewayError {}

function isLimited({ rpm, tpm, maxParallelRequests }: Deployment): boolean {
  return rpm !== undefined || tpm !== undefined || maxParallelRequests !== undefined;
}

async function reserveDeployment(
  deps: CallDeps,
  prepared: PreparedCall,
  { deployment }: Target,
): Promise<Reservation> {
  const { input, output } = expectedUsage(prepared);
  try {
    return await deps.limiter.reserve({
      principal: prepared.call.principal,
      deployment,
      model: prepared.model,
      estimatedTokens: input + output,
      estimatedCost: 0,
    });
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    const { status, type, message, retryAfter, headers } = thrown;
    throw new DeploymentFull(status, type, message, {
      headers,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }
}

function unknownProvider({ provider, modelName }: Deployment): GatewayError {
  const text = `The model ${modelName} is configured for the provider ${provider}, which the gateway does not know.`;
  return new GatewayError(500, "api_error", text, { retryable: false });
}

function unexpected(thrown: unknown): GatewayError {
  return new GatewayError(500, "api_error", "Internal server error", { cause: thrown });
}
