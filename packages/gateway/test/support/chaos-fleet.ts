import type { IncomingHttpHeaders } from "node:http";
import type { ChaosOptions } from "./batch-chaos.ts";
import { type ChildGateway, spawnTestGateway } from "./gateway.ts";

/** The gateways of a batch, each of which may be killed at any time and comes back. */
export class ChaosFleet {
  readonly #options: ChaosOptions;
  readonly #simulatorUrl: string;
  readonly #places: Place[];
  #failure: unknown;
  #isOver = false;

  constructor(options: ChaosOptions, simulatorUrl: string) {
    this.#options = options;
    this.#simulatorUrl = simulatorUrl;
    this.#places = options.dataDirectories.map((folder) => ({
      folder,
      starting: undefined,
      gateway: undefined,
    }));
  }

  /** Starts every process and waits until all are ready. */
  async start(): Promise<void> {
    await Promise.all(this.#places.map((place) => this.#start(place)));
    this.check();
  }

  /** One that is ready. */
  async any(): Promise<ChildGateway> {
    for (;;) {
      const ready = this.#places.flatMap(({ gateway }) => gateway ?? []);
      const chosen = ready[Math.floor(Math.random() * ready.length)];
      if (chosen !== undefined) return chosen;
      this.check();
      await Promise.race(this.#places.map(({ starting }) => starting));
      this.check();
    }
  }

  /**
   * Kills one that is ready, and starts it again.
   * @returns its number
   */
  async killOne(): Promise<number> {
    const victim = await this.any();
    const index = this.#places.findIndex(({ gateway }) => gateway === victim);
    const place = this.#places[index]!;
    place.gateway = undefined;
    victim.process.kill("SIGKILL");
    await victim.close();
    void this.#start(place);
    return index;
  }

  /** @throws what kept a process from starting */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Warnings and errors of the processes that run. */
  log(): string {
    return this.#places
      .map(({ gateway }) => gateway?.log() ?? "")
      .join("")
      .split("\n")
      .filter((line) => /"level":[456]0/.test(line))
      .join("\n");
  }

  /** Ends them all, those that are starting as well. */
  async kill(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#places.map(({ starting }) => starting));
    await Promise.all(this.#places.map(({ gateway }) => gateway?.close()));
  }

  #start(place: Place): Promise<void> {
    const { databaseUrl } = this.#options;
    place.starting = spawnTestGateway({
      dataDirectory: place.folder,
      environment: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
      config: `
model_list:
  - {model_name: gpt, model_info: {id: the-one}, litellm_params: {model: openai/gpt-4o, api_key: ${keyOf(this.#places.indexOf(place))}, api_base: "${this.#simulatorUrl}/openai/v1"}}
router_settings: {num_retries: 2, disable_cooldowns: true}
`,
    }).then(
      (gateway) => {
        place.gateway = gateway;
        void gateway.exited.then((code) => {
          if (place.gateway === gateway && !this.#isOver)
            this.#failure ??= new Error(`A process ended by itself with ${code}:\n${gateway.log()}`);
        });
      },
      (error: unknown) => {
        this.#failure ??= error;
      },
    );
    return place.starting;
  }
}

interface Place {
  readonly folder: string;
  starting: Promise<void> | undefined;
  /** Absent while it is not ready. */
  gateway: ChildGateway | undefined;
}

/** The key under which a process calls the provider, so that its calls can be told from those of the others. */
function keyOf(place: number): string {
  return `process-${place}`;
}

/** The process that sent a request, by its place in the fleet. */
export function senderOf({ authorization = "" }: IncomingHttpHeaders): number {
  return Number(/process-(\d+)$/.exec(authorization)?.[1]);
}
