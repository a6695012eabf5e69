import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import { hasPostgres } from "./services.ts";
import { openDatabases, type TestDatabases } from "./shared-postgres.ts";
import { until } from "./until.ts";

/** Starts what a test talks to: a gateway, or replicas of which each call asks another one. */
export type StartDeployment = (options?: TestGatewayOptions) => Promise<TestGateway>;

export type DeploymentKind = "embedded" | "replicas";

/** What follows from a change is so at once where it was made, and within a second at every replica. */
export async function expectSoon<T>(kind: DeploymentKind, look: () => Promise<T>, right: T): Promise<void> {
  if (kind === "embedded") expect(await look()).toEqual(right);
  else {
    const isRight = async (): Promise<boolean> => isDeepStrictEqual(await look(), right);
    await until(async () => (await isRight()) && (await isRight()));
  }
}

/** Runs a suite on the embedded store, then on two replicas that share PostgreSQL. */
export function describeOnEachDeployment(
  name: string,
  suite: (start: StartDeployment, kind: DeploymentKind) => void,
): void {
  describe(`${name}, on the embedded store`, () => suite(startTestGateway, "embedded"));
  describeOnReplicas(name, suite);
}

/** Runs a suite on two replicas that share PostgreSQL. */
export function describeOnReplicas(
  name: string,
  suite: (start: StartDeployment, kind: DeploymentKind) => void,
): void {
  describe.skipIf(!hasPostgres)(`${name}, on two replicas with PostgreSQL`, () => {
    let postgres: TestDatabases;
    beforeAll(async () => {
      postgres = await openDatabases();
    });
    afterAll(() => postgres?.stop());
    suite(async (options = {}) => {
      const environment = { ...options.environment, DATABASE_URL: await postgres.createDatabase() };
      // One after the other, as the first one makes the tables.
      const replicas = [
        await startTestGateway({ ...options, environment }),
        await startTestGateway({ ...options, environment }),
      ];
      return inTurns(replicas);
    }, "replicas");
  });
}

function inTurns(replicas: readonly TestGateway[]): TestGateway {
  let turn = 0;
  return {
    ...replicas[0]!,
    call: (path, init) => {
      turn += 1;
      return replicas[turn % replicas.length]!.call(path, init);
    },
    log: () => replicas.map((replica) => replica.log()).join(""),
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  };
}
