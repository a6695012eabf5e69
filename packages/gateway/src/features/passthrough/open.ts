import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { endpointRoutes } from "./endpoint-routes.ts";
import { OfferedOperations } from "./offered.ts";
import { providerRoutes } from "./provider-routes.ts";
import { describeEndpoints, passThroughDescription } from "./schema.ts";

/**
 * Operations that the gateway does not offer itself, sent on to a provider as they are: below `/openai`, `/anthropic` and
 * `/gemini`, and at the endpoints that the configuration names.
 * @param others the features that are open already, whose operations never pass through
 */
export function openPassThrough({ resources }: Core, others: readonly Feature[]): Feature {
  const offered = others.flatMap(({ routes }) => routes);
  const toProviders = providerRoutes(resources, new OfferedOperations(offered));
  const toTargets = endpointRoutes(resources, [...offered, ...toProviders]);
  return {
    routes: [...toProviders, ...toTargets],
    descriptions: [passThroughDescription, ...describeEndpoints(toTargets)],
  };
}
