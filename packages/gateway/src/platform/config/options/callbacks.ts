/** Hooks of the gateway that `callbacks` names without a path. */
export const builtInCallbacks = ["format_python"] as const;

/** Name of a hook that comes with the gateway. */
export type BuiltInCallback = (typeof builtInCallbacks)[number];

/** The entry of `callbacks` that is no hook but turns the metrics on, as with LiteLLM. */
export const METRICS_CALLBACK = "prometheus";

/** Whether the callbacks name the metrics, in whichever of their lists. */
export function wantsPrometheus(
  settings: Readonly<Record<"callbacks" | "successCallback" | "failureCallback", readonly string[]>>,
): boolean {
  const { callbacks, successCallback, failureCallback } = settings;
  return [callbacks, successCallback, failureCallback].some((list) => list.includes(METRICS_CALLBACK));
}

/** Whether an entry of `callbacks` is a module's path; LiteLLM's lists name integrations there too. */
export function isModulePath(entry: string): boolean {
  return /\.[cm]?[jt]s$/.test(entry);
}
