import findMyWay, { type HTTPMethod } from "find-my-way";
import type { Route } from "../../contract/exchange.ts";
import { nearestName } from "../../util/nearest-name.ts";

/** A request's route and the parameters in its path. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const methods: readonly HTTPMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** Of a route whose path has none. */
export const noParams: Readonly<Record<string, string>> = Object.freeze({});

/** Longest path parameter; LiteLLM's encoded ids have several hundred characters. */
const MAX_PARAM = 4096;

/** Characters of an unknown path that are compared with those that there are: comparing takes their square. */
const MAX_HINTED_PATH = 64;

/** Finds the route of a request; paths without parameters, which most calls have, by a single look-up. */
export class RouteTable {
  readonly #fixed = new Map<string, Route>();
  readonly #router = findMyWay<findMyWay.HTTPVersion.V1>({ maxParamLength: MAX_PARAM });
  readonly #routes: Route[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      if (!/[:*]/.test(route.path)) this.#fixed.set(`${route.method} ${route.path}`, route);
      this.#router.on(route.method, route.path, unused, this.#routes.push(route) - 1);
    }
  }

  find(method: string, path: string): RouteMatch | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed !== undefined) return { route: fixed, params: noParams };
    const found = this.#router.find(method as HTTPMethod, path);
    if (found === null) return undefined;
    const params = found.params as Record<string, string>;
    // An empty id would make the address of the whole list out of that of one object.
    for (const name in params) if (name !== "*" && params[name] === "") return undefined;
    return { route: this.#routes[found.store as number]!, params };
  }

  /** What a caller of an unknown path probably wanted, to be put behind the error's sentence. */
  hintFor(path: string): string {
    const once = path.replace(/^\/v1(?=\/v1\/)/, "");
    if (once !== path && this.methodsOf(once).length > 0)
      return `: the base URL of the client ends in /v1 already, and its path begins with it`;
    const nearest = nearestName(
      path.slice(0, MAX_HINTED_PATH),
      new Set(this.#routes.map((route) => route.path)),
    );
    return nearest === undefined ? "" : `; did you mean ${nearest}?`;
  }

  /** Methods that the path has; none for an unknown path. */
  methodsOf(path: string): string[] {
    return methods.filter((method) => this.find(method, path) !== undefined);
  }
}

/** find-my-way wants a handler with each route; ours stand in the route itself. */
function unused(): void {}
