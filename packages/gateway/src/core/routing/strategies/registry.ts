import type { RouterSettings } from "../../../platform/config/gateway-config.ts";
import { costBased } from "./cost-based.ts";
import { latencyBased } from "./latency-based.ts";
import { leastBusy } from "./least-busy.ts";
import { simpleShuffle } from "./simple-shuffle.ts";
import type { Strategy } from "./strategy.ts";
import { usageBased } from "./usage-based.ts";

/** The strategies by their names in `router_settings.routing_strategy`. */
export const strategies: Readonly<Record<RouterSettings["routingStrategy"], Strategy>> = {
  "simple-shuffle": simpleShuffle,
  "least-busy": leastBusy,
  "latency-based-routing": latencyBased,
  "usage-based-routing": usageBased,
  "cost-based-routing": costBased,
};
