import type { Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Share } from "./counters.ts";

/** How the limits of deployments are shared out among priorities, as the configuration has it. */
export interface Priorities {
  /** The part of each limit that is kept for a priority, 0 to 1. */
  readonly shares: Readonly<Record<string, number>>;
  /** The part that all calls of no priority, or of one without a share, have together. */
  readonly defaultShare: number;
  /** Up to which part of a limit everybody may use what others leave. */
  readonly threshold: number;
}

/** The priorities of a configuration that may be read again; `undefined` while limits are not shared out. */
export function prioritiesIn(config: {
  readonly current: Pick<GatewayConfig, "gatewaySettings">;
}): () => Priorities | undefined {
  return () => {
    const { priorityReservation: shares, priorityReservationSettings: settings } =
      config.current.gatewaySettings;
    if (shares === undefined) return undefined;
    return { shares, defaultShare: settings.defaultPriority, threshold: settings.saturationThreshold };
  };
}

/** What a limit of a deployment keeps for the priority of a caller: its team's, else its key's, as at LiteLLM. */
export function shareOf({ metadata, teamMetadata }: Principal, limit: number, all: Priorities): Share {
  const { shares, defaultShare, threshold } = all;
  const named = teamMetadata.priority ?? metadata.priority;
  const isShared = typeof named === "string" && Object.hasOwn(shares, named);
  const part = isShared ? shares[named]! : defaultShare;
  // Shares of more than the whole are made smaller in proportion, so that together they are the whole.
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  const kept = withoutNoise((limit * part) / (isShared ? Math.max(1, sum) : 1));
  return {
    priority: isShared ? named : "",
    // A part of one request is no request; whoever has a part gets one while there is any.
    limit: kept > 0 && kept < 1 ? 1 : Math.floor(kept),
    above: withoutNoise(limit * threshold),
  };
}

/** 0.29 of 100 is 28.999999999999996 in binary. */
function withoutNoise(amount: number): number {
  return Number(amount.toFixed(6));
}
