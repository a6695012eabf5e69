import type { Deployment } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import { costOfVideo } from "../../core/ledger/video-price.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";

/** Seconds of a video whose caller does not say how long it is to be. */
const DEFAULT_SECONDS = 8;

/** What a video of this model may cost: at the dearest of its deployments, because none is chosen yet. */
export function expectedCost(config: ConfigSource, { model, seconds }: JsonObject): number {
  const { deployments } = config.current();
  return mostOf(
    deployments.filter(({ modelName }) => modelName === model),
    seconds,
  );
}

/** What a remix may cost at the deployment that made its source. */
export function expectedRemixCost(deployment: Deployment | undefined): number {
  return mostOf(deployment === undefined ? [] : [deployment], undefined);
}

function mostOf(deployments: readonly Deployment[], seconds: unknown): number {
  return Math.max(0, ...deployments.map((each) => costOfVideo(each, seconds ?? DEFAULT_SECONDS) ?? 0));
}
