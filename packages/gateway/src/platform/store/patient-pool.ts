import { setTimeout as wait } from "node:timers/promises";
import type { PostgresPool } from "kysely";
import type { Pool, PoolClient } from "pg";
import { isNoneFree } from "../../contract/errors.ts";
import type { Logger } from "../log/logger.ts";

/** Milliseconds after which a server that took no more connections is asked for further ones. */
const ASK_AGAIN_AFTER = 5000;
/** Milliseconds between two tries where there is none to wait for. */
const TRY_EVERY = 100;

/** PostgreSQL's `too_many_connections`, of the server, a database or a role. */
const TOO_MANY = "53300";

/**
 * A pool that makes do with the connections that it has where its server takes no more: what is asked of it waits for one
 * of them as long as for a free one, where the pg package fails it. It gives one back then, for those who have none, such
 * as the writer of spend rows.
 * @param silence why nothing is asked of the server, if it says nothing
 * @param spare lends a connection while there is none of its own
 */
export function patientPool(
  pool: Pool,
  logger: Logger,
  silence: () => Promise<Error | undefined>,
  spare?: PostgresPool,
): PostgresPool {
  const { max, connectionTimeoutMillis: patience = 0 } = pool.options;
  let open = 0;
  pool.on("connect", () => {
    open += 1;
  });
  pool.on("remove", () => {
    open -= 1;
  });
  /** The pool asks for no more than there are until the server may have some again. */
  const makeDo = (): void => {
    if (pool.options.max < max) {
      pool.options.max = Math.min(pool.options.max, Math.max(1, open));
      return;
    }
    logger.warn(
      { connections: open },
      "the database takes no more connections: the gateway makes do with its own",
    );
    pool.options.max = Math.max(1, open - 1);
    setTimeout(() => {
      pool.options.max = max;
    }, ASK_AGAIN_AFTER).unref();
  };
  const lent = (client: PoolClient): PoolClient => {
    const release = client.release.bind(client);
    client.release = (destroy) => release(destroy || open > pool.options.max);
    return client;
  };
  const connect = async (): Promise<PoolClient> => {
    const until = performance.now() + patience;
    for (;;) {
      try {
        return lent(await pool.connect());
      } catch (error) {
        // All are in use: by statements that take long, or by such as a server that says nothing never answers.
        if (isNoneFree(error)) throw (await silence()) ?? error;
        if ((error as { code?: unknown }).code !== TOO_MANY || performance.now() > until) throw error;
        makeDo();
      }
      if (open > 0) continue;
      if (spare !== undefined) return (await spare.connect()) as PoolClient;
      await wait(TRY_EVERY);
    }
  };
  return { connect, end: () => pool.end(), options: pool.options };
}
