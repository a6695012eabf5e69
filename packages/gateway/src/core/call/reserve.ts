import type { Deployment, Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { Reservation } from "../limits/limiter.ts";
import { DeploymentFull } from "../routing/route-call.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { maxTokensOf } from "./request-changes.ts";
import { CHARACTERS_PER_TOKEN } from "./settlement.ts";
import { worstCaseCost } from "./worst-case.ts";

/** Bytes beyond which a body is mostly pictures and files, whose size says nothing of their tokens. */
const MAX_COUNTED_BYTES = 1_000_000;

/** What a call will use at most, as far as a quick look tells; for reservations, not for bills. */
function expectedUsage({ call, data, raw }: PreparedCall): Usage {
  const bytes = raw?.length ?? JSON.stringify(data).length;
  return {
    ...noUsage,
    input: Math.ceil(Math.min(bytes, MAX_COUNTED_BYTES) / CHARACTERS_PER_TOKEN),
    output: maxTokensOf(call.format, data) ?? 0,
  };
}

/**
 * Takes the call's share of its key's limits and budget.
 * @param targets the deployments that may answer
 * @throws GatewayError 429, 402
 */
export function reserveForCall(
  prepared: PreparedCall,
  targets: readonly Target[],
): Reservation | Promise<Reservation> {
  const { deps, call, model, data, raw, mockedText } = prepared;
  const expected = expectedUsage(prepared);
  const isCounted = call.principal.limits.maxBudget !== undefined && mockedText === undefined;
  const bytes = raw?.length ?? (isCounted ? Buffer.byteLength(JSON.stringify(data)) : 0);
  const priced = { format: call.format, data, bytes };
  return deps.limiter.reserve({
    principal: call.principal,
    family: call.family,
    model,
    estimatedTokens: expected.input + expected.output,
    estimatedCost: isCounted ? worstCaseCost(priced, targets, deps.costOf) : 0,
    signal: prepared.signal,
  });
}

/**
 * Takes the call's share of a deployment's own limits.
 * @throws DeploymentFull
 */
export async function reserveForDeployment(
  prepared: PreparedCall,
  deployment: Deployment,
): Promise<Reservation> {
  const { deps, call, model } = prepared;
  const { input, output } = expectedUsage(prepared);
  const { principal } = call;
  try {
    const estimatedTokens = input + output;
    return await deps.limiter.reserve({ principal, deployment, model, estimatedTokens, estimatedCost: 0 });
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    const { status, type, message, retryAfter, headers } = thrown;
    throw new DeploymentFull(status, type, message, {
      headers,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }
}

/** Whether a deployment has limits of its own. */
export function isLimited({ rpm, tpm, maxParallelRequests }: Deployment): boolean {
  return rpm !== undefined || tpm !== undefined || maxParallelRequests !== undefined;
}
