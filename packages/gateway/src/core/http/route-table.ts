import findMyWay, { type HTTPMethod } from "find-my-way";
import type { Route } from "../../contract/exchange.ts";
import { nearestName } from "../../util/nearest-name.ts";

/** A request's route and the parameters in its path. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Routes that have all but their verb in common. */
interface RouteVerbs {
  readonly method: Route["method"];
  readonly path: string;
  readonly verbs: Map<string, Route>;
}

const methods: readonly HTTPMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/** Of a route whose path has none. */
export const noParams: Readonly<Record<string, string>> = Object.freeze({});

/** Longest path parameter; LiteLLM's encoded ids have several hundred characters. */
const MAX_PARAM = 4096;

/** Operations of OpenAI that pass through, some of whose names are close to a path of the gateway's own. */
const PASSED =
  /^\/v1\/(?:assistants|audio|completions|evals|fine_tuning|images|moderations|skills|threads|uploads|vector_stores)(?:\/|$)/;
const PASSED_HINT = "; what OpenAI has there passes through at /openai/v1/";

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

/** Finds the route of a request; paths without parameters, which most calls have, by a single look-up. */
export class RouteTable {
  readonly #fixed = new Map<string, Route>();
  #router: Router | undefined;
  readonly #routes: Route[] = [];
  /** Routes by method and path up to the wildcard, and then by the verb behind it. */
  readonly #verbs = new Map<string, RouteVerbs>();
  /** Asked after all others. */
  readonly #lastResort: RouteTable | undefined;

  constructor(routes: readonly Route[]) {
    const last = routes.filter(({ isLastResort }) => isLastResort === true);
    this.#lastResort =
      last.length === 0 ? undefined : new RouteTable(last.map(({ isLastResort: _, ...route }) => route));
    for (const route of routes) {
      if (route.isLastResort === true) continue;
      const [path, verb] = splitVerb(route.path);
      if (verb !== undefined) {
        this.#addVerb(route, path, verb);
        continue;
      }
      if (!/[:*]/.test(route.path)) this.#fixed.set(`${route.method} ${route.path}`, route);
      this.#routes.push(route);
    }
  }

  /** Whatever everybody may get takes HEAD too, as monitors and `curl -I` send it; the rest may cost something. */
  find(method: string, path: string): RouteMatch | undefined {
    if (method === "HEAD") {
      const got = this.find("GET", path);
      return got?.route.access === "public" ? got : undefined;
    }
    const own = this.#findOwn(method, path);
    if (own !== undefined && own.route.givesWay?.(own.params) !== true) return own;
    return this.#lastResort?.find(method, path) ?? own;
  }

  #findOwn(method: string, path: string): RouteMatch | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed !== undefined) return { route: fixed, params: noParams };
    this.#router ??= this.#makeRouter();
    const found = this.#router.find(method as HTTPMethod, path);
    if (found === null) return undefined;
    const params = found.params as Record<string, string>;
    // An empty id would make the address of the whole list out of that of one object.
    for (const name in params) if (name !== "*" && params[name] === "") return undefined;
    const stored = found.store as number | Map<string, Route>;
    return typeof stored === "number"
      ? { route: this.#routes[stored - 1]!, params }
      : withVerb(stored, params);
  }

  #addVerb(route: Route, path: string, verb: string): void {
    const key = `${route.method} ${path}`;
    const known = this.#verbs.get(key) ?? { method: route.method, path, verbs: new Map<string, Route>() };
    known.verbs.set(verb, route);
    this.#verbs.set(key, known);
  }

  /** Makes ready for paths with parameters too; a start does not wait for it. */
  prepare(): void {
    this.#router ??= this.#makeRouter();
    this.#lastResort?.prepare();
  }

  #makeRouter(): Router {
    const router = findMyWay<findMyWay.HTTPVersion.V1>({ maxParamLength: MAX_PARAM });
    // Counted from one: the router takes 0 for nothing.
    for (const [at, { method, path }] of this.#routes.entries()) router.on(method, path, unused, at + 1);
    for (const { method, path, verbs } of this.#verbs.values()) router.on(method, path, unused, verbs);
    return router;
  }

  /** What a caller of an unknown path probably wanted, to be put behind the error's sentence. */
  hintFor(path: string): string {
    const once = path.replace(/^\/v1(?=\/v1\/)/, "");
    if (once !== path && this.methodsOf(once).length > 0)
      return `: the base URL of the client ends in /v1 already, and its path begins with it`;
    // LiteLLM has OpenAI's images, audio and the like beside its own paths.
    if (PASSED.test(path) && this.methodsOf(`/openai${path}`).length > 0) return PASSED_HINT;
    const nearest = nearestName(path, new Set(this.#routes.map((route) => route.path)));
    if (nearest !== undefined) return `; did you mean ${nearest}?`;
    return path.startsWith("/v1/") && this.methodsOf(`/openai${path}`).length > 0 ? PASSED_HINT : "";
  }

  /**
   * Whether the path ends in a word where routes have an id, such as `/v1/videos/edits`. To whoever posts there it is an
   * operation.
   */
  endsInUnknownWord(path: string): boolean {
    const last = path.slice(path.lastIndexOf("/") + 1);
    if (!/^[a-z]+(?:[_-][a-z]+)*$/.test(last)) return false;
    const found = methods.flatMap((method) => this.find(method, path) ?? []);
    return found.every(({ route }) => /\/(?::\w+|\*)$/.test(route.path));
  }

  /** Methods that the path has; none for an unknown path. */
  methodsOf(path: string): string[] {
    return methods.filter((method) => this.find(method, path) !== undefined);
  }
}

/** A path whose resource's name is followed by a verb, as Google's custom methods are (AIP-136): `/models/*:count`. */
function splitVerb(path: string): [path: string, verb: string | undefined] {
  const at = path.indexOf("*:");
  return at === -1 ? [path, undefined] : [path.slice(0, at + 1), path.slice(at + 2)];
}

/** The name may have colons itself; the verb stands behind the last one. */
function withVerb(
  verbs: ReadonlyMap<string, Route>,
  found: Readonly<Record<string, string>>,
): RouteMatch | undefined {
  const rest = found["*"] ?? "";
  const at = rest.lastIndexOf(":");
  const route = at < 1 ? undefined : verbs.get(rest.slice(at + 1));
  return route && { route, params: { ...found, "*": rest.slice(0, at) } };
}

/** find-my-way wants a handler with each route; ours stand in the route itself. */
function unused(): void {}
