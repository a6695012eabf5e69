import type { Route } from "../../contract/exchange.ts";
import type { Operation } from "../../contract/operation.ts";

/** A route's path as OpenAPI writes it. */
export interface PathForm {
  /** With parameters in braces, by the names that callers know. */
  readonly path: string;
  readonly parameters: readonly string[];
  /** What tells it from the operation's main path; empty for that one. */
  readonly variant: string;
}

/** A colon behind something else than a slash begins a verb. */
const parameter = /(?<=\/):\w+|\{\w+\}|\*/g;

/** Leading segments that make further forms of a path: `/openai`, Azure's deployments, `/anthropic`, a provider. */
const prefix =
  /^(?:\/openai\/deployments\/:model|\/engines\/:model|\/openai|\/anthropic|\/:provider)?(?:\/v1)?(?=\/)/;

/** What comes before `/models` in Google's API and at Vertex AI. */
const googlePrefix =
  /^(?:\/gemini)?\/v1(?:beta1?|alpha)?(?:\/projects\/:project\/locations\/:location)?(?:\/publishers\/:publisher)?(?=\/models)/;
/** Which paths are Google's: others have `/v1/models` too. */
const googlePath = /^\/gemini\/|^\/v1(?:beta1?|alpha)\/|\*:/;

/** The leading segments of a path, and whose API they belong to. */
function leadOf(path: string): { readonly lead: string; readonly owner: string } {
  if (googlePath.test(path)) return { lead: googlePrefix.exec(path)?.[0] ?? "", owner: "google" };
  return { lead: prefix.exec(path)?.[0] ?? "", owner: "" };
}

/** What all forms of an operation's path have in common. */
export function operationKey(operation: Pick<Route | Operation, "method" | "path">): string {
  const { method } = operation;
  const path = ("routePath" in operation ? (operation as Operation).routePath : undefined) ?? operation.path;
  const { lead, owner } = leadOf(path);
  return `${method} ${owner}${path.slice(lead.length).replace(parameter, "{}")}`;
}

/** The form of an operation's path that a route answers. */
export function pathFormOf(route: Route, operation: Operation): PathForm {
  const names = operation.path.match(parameter)?.map((name) => name.slice(1, -1)) ?? [];
  const { lead } = leadOf(route.path);
  const shape =
    operation.routePath === undefined
      ? route.path.slice(lead.length)
      : operation.path.slice(leadOf(operation.routePath).lead.length);
  const rest = shape.replace(parameter, () => `{${names.shift()}}`);
  const path = lead.replace(/:(\w+)/g, "{$1}") + rest;
  const isMain = path === operation.path;
  return {
    path,
    parameters: path.match(parameter)?.map((name) => name.slice(1, -1)) ?? [],
    variant: isMain ? "" : lead.replaceAll(/\W+/g, "_") || "_unversioned",
  };
}
