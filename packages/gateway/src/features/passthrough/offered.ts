import type { Route } from "../../contract/exchange.ts";
import { RouteTable } from "../../core/http/route-table.ts";
import type { ProviderPrefix } from "./provider-prefixes.ts";

/** What the gateway has of its own at paths at which providers have something else. */
const OWN_RESOURCES = /^\/v1\/(?:a2a|agents|model|webhook_secret)(?:\/|$)/;

/**
 * Tells operations that the gateway offers itself, whatever the case of their letters: some servers do not look at it.
 * These never pass through, because they would pass by the rules that the gateway has for them.
 */
export class OfferedOperations {
  readonly #routes: readonly Route[];
  /** Made when something is to pass through, which most gateways never see. */
  #table: RouteTable | undefined;

  /** @param routes of the gateway's other features */
  constructor(routes: readonly Route[]) {
    this.#routes = routes;
  }

  /** @param path one that was read, with its prefix; the operation may stand there or without the prefix */
  has(method: string, { name, family }: ProviderPrefix, path: string): boolean {
    const lower = path.toLowerCase();
    const own = this.#find(method, lower);
    if (own !== undefined) return true;
    const alone = this.#find(method, lower.slice(name.length + 1));
    if (alone === undefined || OWN_RESOURCES.test(alone.path)) return false;
    // Providers take other makers' dialects too; resources that give way are other ones at another maker.
    return alone.family === family || alone.givesWay === undefined;
  }

  #find(method: string, path: string): Route | undefined {
    this.#table ??= new RouteTable(
      this.#routes.map((route) => ({ ...route, path: route.path.toLowerCase() })),
    );
    const found = this.#table.find(method, path);
    return found?.route.givesWay?.(found.params) === true ? undefined : found?.route;
  }
}
