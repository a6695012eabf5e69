import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { type Simulator, startSimulator } from "portico-simulator";
import { openPostgresStore, openSqliteStore } from "../../src/platform/store/open-store.ts";
import type { Store } from "../../src/platform/store/schema.ts";
import { register } from "../support/a2a.ts";
import { type ChildGateway, MASTER_KEY, spawnTestGateway } from "../support/gateway.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { workerPids } from "../support/workers.ts";

/** US dollars of a token of any answer; what is asked costs nothing, so that calls of one kind cost the same. */
export const PRICE = 0.00001;

/** The place of one process: what it keeps on disk, and the process while it is there. */
interface Place {
  readonly folder: string;
  gateway: ChildGateway | undefined;
}

/** The gateways that an attack meets, with their provider, database and Redis. */
export class Fleet {
  readonly simulator: Simulator;
  readonly #folder = mkdtempSync(join(tmpdir(), "portico-attack-"));
  readonly #places: Place[];
  #postgres: TestPostgres | undefined;
  #redis: TestRedis | undefined;
  readonly #workers: number;
  #environment: Record<string, string> = {};

  private constructor(simulator: Simulator, replicas: number, workers: number) {
    this.simulator = simulator;
    this.#workers = workers;
    this.#places = Array.from({ length: replicas }, (_, index) => ({
      folder: join(this.#folder, String(index)),
      gateway: undefined,
    }));
  }

  /** One gateway on the embedded store, of several workers or not, or several on one PostgreSQL and one Redis. */
  static async start(replicas: number, workers = 1): Promise<Fleet> {
    const fleet = new Fleet(await startSimulator(), replicas, workers);
    try {
      if (replicas > 1) {
        fleet.#postgres = await startPostgres();
        fleet.#redis = await startRedis();
        const database = await fleet.#postgres.createDatabase();
        fleet.#environment = { DATABASE_URL: database, REDIS_URL: fleet.#redis.url };
      }
      for (const place of fleet.#places) await fleet.#open(place);
      const agent = { agent_name: "clerk", gateway_params: { model: "gpt", max_tokens: 1000 } };
      await register(fleet.#places[0]!.gateway!, agent);
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  /** One of the processes that are there. */
  async any(turn: number): Promise<ChildGateway> {
    for (;;) {
      const ready = this.#places.flatMap(({ gateway }) => gateway ?? []);
      const chosen = ready[turn % Math.max(1, ready.length)];
      if (chosen !== undefined) return chosen;
      await sleep(50);
    }
  }

  /** Kills a process by SIGKILL and starts it again, with what it left on its disk. */
  async killOne(turn: number): Promise<void> {
    const place = this.#places[turn % this.#places.length]!;
    const { gateway } = place;
    if (gateway === undefined) return;
    if (this.#workers > 1) return killWorker(gateway, 1 + (turn % this.#workers));
    place.gateway = undefined;
    gateway.process.kill("SIGKILL");
    // Waits for its end and removes its configuration.
    await gateway.close();
    await this.#open(place);
  }

  async stopRedis(): Promise<void> {
    await this.#redis!.stop();
  }

  /** Starts an empty Redis at the same address. */
  async startRedisAgain(): Promise<void> {
    this.#redis = await this.#redis!.startAgain();
  }

  /** Ends PostgreSQL as a crash does. */
  crashDatabase(): void {
    this.#postgres!.crash();
  }

  startDatabaseAgain(): void {
    this.#postgres!.startAgain();
  }

  async newKey(budget: number): Promise<string> {
    const gateway = await this.any(0);
    const made = await gateway.call("/key/generate", {
      body: { max_budget: budget, metadata: { agents: ["clerk"] } },
    });
    return ((await made.json()) as { key: string }).key;
  }

  /** What a key is billed so far. */
  async billed(key: string): Promise<number> {
    const gateway = await this.any(0);
    const answer = await gateway.call(`/key/info?key=${key}`);
    return ((await answer.json()) as { info: { spend: number } }).info.spend;
  }

  /** The most that one of a key's latest rows of the spend log costs. */
  async dearest(key: string): Promise<number> {
    const gateway = await this.any(0);
    const answer = await gateway.call(`/spend/logs?api_key=${key}&limit=1000`);
    const { data } = (await answer.json()) as { data: { spend: number; call_type: string }[] };
    // A batch at a provider has one row for all of its calls.
    const calls = data.filter(({ call_type }) => call_type !== "abatch_cost");
    return Math.max(0, ...calls.map(({ spend }) => spend));
  }

  /** The store of all processes; to be closed by who asks for it. */
  openStore(): Promise<Store> {
    const { DATABASE_URL: url } = this.#environment;
    return url === undefined
      ? openSqliteStore(this.#places[0]!.folder)
      : openPostgresStore(url, pino({ level: "silent" }));
  }

  /** Warnings and errors of the processes. */
  log(): string {
    const text = this.#places.map(({ gateway }) => gateway?.log() ?? "").join("");
    return text
      .split("\n")
      .filter((line) => /"level":[456]0/.test(line))
      .join("\n");
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map(({ gateway }) => gateway?.close()));
    await this.#redis?.stop().catch(() => undefined);
    this.#postgres?.stop();
    await this.simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #open(place: Place): Promise<void> {
    place.gateway = await spawnTestGateway({
      dataDirectory: place.folder,
      environment: this.#environment,
      config: configOf(this.simulator.url),
      flags: ["--workers", String(this.#workers)],
    });
  }
}

/** Kills a worker by SIGKILL and waits for the one that takes its place. */
async function killWorker(gateway: ChildGateway, number: number): Promise<void> {
  const victim = workerPids(gateway.log()).get(number);
  process.kill(victim!, "SIGKILL");
  await until(() => workerPids(gateway.log()).get(number) !== victim);
}

/** Priced models of the simulator at `url`. */
export function configOf(url: string): string {
  const priced = `api_key: simulated, input_cost_per_token: 0, output_cost_per_token: ${PRICE}`;
  const openai = `api_base: "${url}/openai/v1"`;
  return `model_list:
  - {model_name: gpt, model_info: {id: gpt-1}, litellm_params: {model: openai/gpt-4o, ${openai}, ${priced}}}
  - {model_name: claude, model_info: {id: claude-1}, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", ${priced}}}
  - {model_name: words, model_info: {id: words-1}, litellm_params: {model: openai/text-embedding-3-small, ${openai}, api_key: simulated, input_cost_per_token: ${PRICE}}}
  - {model_name: unpriced, litellm_params: {model: openai/nobody-knows-it, ${openai}, api_key: simulated}}
  - {model_name: film, model_info: {id: film-1}, litellm_params: {model: openai/sora-2, ${openai}, api_key: simulated, output_cost_per_second: 0.0025}}
router_settings:
  num_retries: 0
  disable_cooldowns: true
  model_group_alias: {other-gpt: gpt, other-claude: claude, other-words: words, other-film: film}
litellm_settings: {model_alias_map: {mapped-gpt: gpt, mapped-claude: claude, mapped-words: words, mapped-film: film}}
general_settings: {master_key: "${MASTER_KEY}"}
`;
}
