import { newCallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import { isJsonObject } from "../../contract/json.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { captureStars, fillStars } from "../../core/routing/name-pattern.ts";

/** Milliseconds for which a provider's list counts, and a failure to get one. */
const KEEP_LIST = 300_000;
const KEEP_FAILURE = 30_000;
/** Milliseconds that a provider has for its list, and that a caller waits for it; then the pattern is shown. */
const TIMEOUT = 5000;
const PATIENCE = 1000;
/** Models of one deployment, and characters of a name, that are shown at most. */
const MAX_MODELS = 5000;
const MAX_NAME = 256;
/** What Anthropic and Google put on a page at most; others have no pages. */
const PAGE = { anthropic: "limit", gemini: "pageSize" } as const;

interface KnownList {
  readonly until: number;
  /** What the provider said last. */
  readonly names: readonly string[] | undefined;
  /** Under way. */
  readonly asking: Promise<readonly string[] | undefined> | undefined;
}

/** The names that a deployment's pattern stands for, by its provider's own list (`check_provider_endpoint`). */
export class ProviderModels {
  readonly #findProvider: ResourceDeps["findProvider"];
  readonly #client: ResourceClient;
  /** A changed configuration has other deployments. */
  readonly #known = new WeakMap<Deployment, KnownList>();

  constructor(deps: Pick<ResourceDeps, "upstream" | "findProvider">) {
    this.#findProvider = deps.findProvider;
    this.#client = new ResourceClient(deps);
  }

  /**
   * The names under which callers can ask for the provider's models; `undefined` where it does not list any. A list that
   * is old is shown while the next one is fetched; a provider that is away or slow holds nobody up for longer than
   * `PATIENCE`.
   */
  async namesOf(deployment: Deployment): Promise<readonly string[] | undefined> {
    const { model, provider } = deployment;
    const isListed = this.#findProvider(provider)?.resources.has("models") === true;
    if (!isListed || !model.includes("*")) return undefined;
    const known = this.#known.get(deployment);
    if (known !== undefined && known.until > Date.now()) return known.names ?? soon(known.asking);
    const asking = this.#ask(deployment).then((names) => {
      const until = Date.now() + (names === undefined ? KEEP_FAILURE : KEEP_LIST);
      const shown = names ?? known?.names;
      this.#known.set(deployment, { until, names: shown, asking: undefined });
      return shown;
    });
    this.#known.set(deployment, { until: Date.now() + TIMEOUT, names: known?.names, asking });
    return known?.names ?? soon(asking);
  }

  /** Callers who come meanwhile wait for the same answer, so that none of them ends it. */
  async #ask(deployment: Deployment): Promise<readonly string[] | undefined> {
    const { provider } = deployment;
    const page = provider === "anthropic" || provider === "gemini" ? PAGE[provider] : undefined;
    const request = {
      method: "GET",
      path: upstreamPath`/models`,
      ...(page === undefined ? {} : { query: new URLSearchParams({ [page]: "1000" }) }),
    };
    const context = { signal: AbortSignal.timeout(TIMEOUT), call: newCallRecord("models") };
    try {
      const answer = await this.#client.json({ deployment, provider }, request, context);
      const listed = [answer.data, answer.models].find(Array.isArray) ?? [];
      const names = listed
        .filter(isJsonObject)
        .flatMap(({ id, name }) => callersName(deployment, id ?? name));
      return names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_MODELS);
    } catch {
      return undefined;
    }
  }
}

/** What is there in a moment. */
function soon(
  asking: Promise<readonly string[] | undefined> | undefined,
): Promise<readonly string[] | undefined> | undefined {
  if (asking === undefined) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE, undefined);
    void asking.then((names) => {
      clearTimeout(timer);
      resolve(names);
    });
  });
}

/** Google's names begin with the collection's. */
function callersName({ model, modelName }: Deployment, listed: unknown): string[] {
  if (typeof listed !== "string" || listed.length > MAX_NAME) return [];
  const texts = captureStars(model, listed.replace(/^models\//, ""));
  return texts === undefined ? [] : [fillStars(modelName, texts)];
}
