import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";

/** Answers one request; throws `ApiFailure` to refuse it. */
type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

/** One operation of a provider. */
export interface Route {
  readonly method: string;
  /** Path below the prefix, with `{name}` for one segment or the start of one: `/models/{model}:countTokens`. */
  readonly pattern: string;
  readonly handle: Handler;
  /** `stream` leaves the body unread for the handler, `any` reads JSON or a form's texts; otherwise JSON is read. */
  readonly body?: "stream" | "any";
}

/** A route that a request met, with the variables of its path. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface CompiledRoute {
  readonly route: Route;
  readonly expression: RegExp;
}

const noParams: Readonly<Record<string, string>> = {};

/** Finds routes by method and path; a fixed path wins over one with variables, then the first listed. */
export class RouteTable {
  readonly #fixed = new Map<string, Route>();
  readonly #variable: CompiledRoute[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      if (route.pattern.includes("{")) this.#variable.push({ route, expression: compile(route.pattern) });
      else this.#fixed.set(`${route.method} ${route.pattern}`, route);
    }
  }

  /** The route for a request, or undefined when the provider has none there. */
  find(method: string, path: string): RouteMatch | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed !== undefined) return { route: fixed, params: noParams };
    for (const { route, expression } of this.#variable) {
      if (route.method !== method) continue;
      const groups = expression.exec(path)?.groups;
      if (groups !== undefined) return { route, params: decoded(groups) };
    }
    return undefined;
  }
}

function compile(pattern: string): RegExp {
  const parts = pattern.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 1 ? `(?<${part}>[^/]+?)` : part.replace(/[.*+?^$()|[\]\\]/g, "\\$&"),
  );
  return new RegExp(`^${source.join("")}$`);
}

function decoded(groups: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      params[name] = value;
    }
  }
  return params;
}
