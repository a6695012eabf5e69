import type { Socket } from "node:net";
import type { Client, ClientConfig } from "pg";
import type { Logger } from "../log/logger.ts";

/** Milliseconds after which a statement without an answer has us ask whether the server answers anybody. */
const ASK_AFTER = 3000;
/** Milliseconds that a new connection may take before the server counts as one that does not answer. */
const CONNECT_WITHIN = 5000;
/** Milliseconds between two such questions. */
const ASK_AGAIN_AFTER = 1000;
/** Milliseconds between two looks at the statements without an answer. */
const LOOK_EVERY = 500;
/**
 * Milliseconds after which a connection is given up whatever the server says: statements are ended by the server itself
 * after thirty seconds, so that a longer one has lost its connection on the way.
 */
const LOST_AFTER = 40_000;

/** Migrations of large tables have no end that the server sets. */
const WITHOUT_END = /\bset local statement_timeout = 0\b/;

/** A statement on its way. */
interface Asked {
  readonly client: Client;
  readonly since: number;
}

/** A class of connections that knows whether their server answers. */
type AnsweringClient = typeof Client & {
  /** Asks the server. @returns why nothing is asked of it, if it says nothing */
  silence(): Promise<Error | undefined>;
};

/**
 * A class of connections to one server. A server that is stopped, frozen or behind a broken network takes statements and
 * never answers; the pg package waits for it for ever. Here that becomes what a crash of the server is: the connections
 * break, what waits fails, and new connections are refused at once until the server answers again.
 * @param logger absent where another class watches the same server
 */
export async function answeringClient(config: ClientConfig, logger?: Logger): Promise<AnsweringClient> {
  const { default: pg } = await import("pg");
  const watch = new ServerWatch(logger, async () => {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_WITHIN });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return true;
    } catch (error) {
      // One that refuses, such as for want of connections, has answered.
      return error instanceof pg.DatabaseError;
    } finally {
      cut(client);
    }
  });
  return class extends pg.Client {
    static async silence(): Promise<Error | undefined> {
      await watch.ask();
      return watch.refusal();
    }

    override connect(...given: unknown[]): never {
      const connect = super.connect.bind(this) as (...given: unknown[]) => unknown;
      const refusal = watch.refusal();
      if (refusal === undefined) return connect(...given) as never;
      const [called] = given;
      if (typeof called !== "function") return Promise.reject(refusal) as never;
      process.nextTick(() => called(refusal));
      return undefined as never;
    }

    override query(...given: unknown[]): never {
      const query = super.query.bind(this) as (...given: unknown[]) => unknown;
      const end = watch.begin(this, given[0]);
      const called = given.at(-1);
      if (typeof called === "function") {
        const ended = (...answer: unknown[]): void => {
          end();
          called(...answer);
        };
        return query(...given.slice(0, -1), ended) as never;
      }
      const answer = query(...given);
      if (answer instanceof Promise) answer.then(end, end);
      else end();
      return answer as never;
    }
  };
}

class ServerWatch {
  readonly #logger: Logger | undefined;
  readonly #answers: () => Promise<boolean>;
  readonly #asked = new Set<Asked>();
  readonly #withoutEnd = new WeakSet<Client>();
  #isSilent = false;
  #asking: Promise<void> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #looking: NodeJS.Timeout | undefined;

  /** @param answers whether the server takes a new connection, or refuses it in its own words */
  constructor(logger: Logger | undefined, answers: () => Promise<boolean>) {
    this.#logger = logger;
    this.#answers = answers;
  }

  /** Why nothing is asked of the server now; whoever is refused has it looked for, so that it needs no clock. */
  refusal(): Error | undefined {
    if (!this.#isSilent) return undefined;
    void this.ask();
    return Object.assign(new Error("The database does not answer"), { code: "08006" });
  }

  /** @returns tells that the statement has its answer */
  begin(client: Client, statement: unknown): () => void {
    if (typeof statement === "string") {
      if (WITHOUT_END.test(statement)) this.#withoutEnd.add(client);
      else if (/^(?:commit|rollback)\b/i.test(statement)) this.#withoutEnd.delete(client);
    }
    const asked = { client, since: performance.now() };
    this.#asked.add(asked);
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY).unref();
    return () => this.#asked.delete(asked);
  }

  #look(): void {
    if (this.#asked.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    const now = performance.now();
    let isLate = false;
    for (const { client, since } of this.#asked) {
      isLate ||= now - since > ASK_AFTER;
      if (now - since > LOST_AFTER && !this.#withoutEnd.has(client)) cut(client);
    }
    if (isLate || this.#isSilent) void this.ask();
  }

  /** Whether it answers now, or did a moment ago. */
  async ask(): Promise<void> {
    if (this.#asking === undefined && performance.now() - this.#askedAt < ASK_AGAIN_AFTER) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const hasAnswered = await this.#answers();
    this.#askedAt = performance.now();
    if (hasAnswered === this.#isSilent) {
      this.#isSilent = !hasAnswered;
      if (hasAnswered) this.#logger?.info("the database answers again");
      else this.#logger?.error("the database does not answer: its connections are closed until it does");
    }
    if (this.#isSilent) for (const { client } of this.#asked) cut(client);
  }
}

/** Breaks a connection as a server that ends does, without waiting for anything. */
function cut(client: Client): void {
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
}
