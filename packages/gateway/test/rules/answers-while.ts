import { type Operation, operationsOf } from "./operations.ts";
import { ask, examples, type Ids, successOf } from "./requests.ts";
import type { Stage } from "./stage.ts";

/** What operations that a broken store had to fail answered. */
export interface Answers {
  /** Each form of each operation with its status; 200 for whatever success the operation has. */
  readonly statuses: readonly (readonly [name: string, status: number])[];
  /** Statuses that no operation has for it. */
  readonly unexpected: readonly (readonly [name: string, status: number])[];
}

/** How to ask. */
export interface Asking {
  /** Called before each request. */
  readonly beforeEach?: () => unknown;
  /** By its main path alone: what succeeds all the same can be asked for but once. */
  readonly once?: boolean;
}

/**
 * Asks for every operation while the store is broken: each answers that, or does without the store. Agents have 500 with
 * the error's text for any failure, as their specification says.
 * @param breakStore breaks it once what the operations are about is there
 */
export async function answersWhile(
  stage: Stage,
  breakStore: () => unknown,
  { beforeEach, once = false }: Asking = {},
): Promise<Answers> {
  const operations = await operationsOf(stage.gateway);
  const made = new Map<Operation, Ids>();
  for (const operation of operations) {
    const { needs } = examples[operation.id]!;
    made.set(operation, needs === undefined ? {} : await stage.make(needs));
  }
  await breakStore();
  const statuses: [string, number][] = [];
  for (const [operation, ids] of made)
    for (const form of once ? [operation.path] : operation.forms) {
      await beforeEach?.();
      const { status } = await ask(stage, operation, { form, ids });
      statuses.push([`${operation.method} ${form}`, status === successOf(operation) ? 200 : status]);
    }
  const unexpected = statuses.filter(
    ([name, status]) => status !== 200 && status !== 503 && !(status === 500 && name.includes("/v1/agents")),
  );
  return { statuses, unexpected };
}
