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

const parameter = /:\w+|\{\w+\}|\*/g;

/** Leading segments that make further forms of a path: `/openai`, Azure's deployments, `/anthropic`, a provider. */
const prefix = /^(?:\/openai\/deployments\/:model|\/openai|\/anthropic|\/:provider)?(?:\/v1)?(?=\/)/;

/** What all forms of an operation's path have in common. */
export function operationKey(operation: Pick<Route | Operation, "method" | "path">): string {
  const { method } = operation;
  const path = ("routePath" in operation ? (operation as Operation).routePath : undefined) ?? operation.path;
  return `${method} ${path.replace(prefix, "").replace(parameter, "{}")}`;
}

/** The form of an operation's path that a route answers. */
export function pathFormOf(route: Route, operation: Operation): PathForm {
  const names = operation.path.match(parameter)?.map((name) => name.slice(1, -1)) ?? [];
  const lead = prefix.exec(route.path)?.[0] ?? "";
  const shape =
    operation.routePath === undefined ? route.path.slice(lead.length) : operation.path.replace(prefix, "");
  const rest = shape.replace(parameter, () => `{${names.shift()}}`);
  const path = lead.replace(/:(\w+)/, "{$1}") + rest;
  const isMain = path === operation.path;
  return {
    path,
    parameters: path.match(parameter)?.map((name) => name.slice(1, -1)) ?? [],
    variant: isMain ? "" : lead.replaceAll(/\W+/g, "_") || "_unversioned",
  };
}
