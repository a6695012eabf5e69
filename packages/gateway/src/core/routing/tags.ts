import type { Deployment } from "../../contract/deployment.ts";
import type { RouterSettings } from "../../platform/config/gateway-config.ts";

/** The tag of deployments that take what no other tag fits. */
const DEFAULT_TAG = "default";

/**
 * Whether a deployment may take a call with these tags, as LiteLLM's tag based routing has it: a call with tags goes to
 * deployments with one of them (or all of them), a call without to those tagged `default`; where none is found, calls
 * with tags go to `default` too, and calls without anywhere.
 * @param deployments those that the call could go to otherwise
 */
export function fitsTags(
  deployments: readonly Deployment[],
  tags: readonly string[],
  { enableTagFiltering, tagFilteringMatchAny }: RouterSettings,
): (deployment: Deployment) => boolean {
  if (!enableTagFiltering) return () => true;
  const asked = (deployment: Deployment): boolean => {
    const own = tagsOf(deployment.params.tags);
    return tagFilteringMatchAny
      ? tags.some((tag) => own.includes(tag))
      : tags.length > 0 && tags.every((tag) => own.includes(tag));
  };
  if (deployments.some(asked)) return asked;
  const usual = (deployment: Deployment): boolean => tagsOf(deployment.params.tags).includes(DEFAULT_TAG);
  return tags.length > 0 || deployments.some(usual) ? usual : () => true;
}

/** The texts of a list of tags; none for anything else. */
export function tagsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((tag) => typeof tag === "string") : [];
}
