import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import { cpuOf } from "./overhead.ts";
import { type Asker, askers, type Question, questions, textOfQuestion } from "./questions.ts";

/** How long one asker waited for one question. */
export interface Measured {
  readonly operation: string;
  /** Its path, and what its body says. */
  readonly text: string;
  readonly asker: Asker;
  readonly status: number;
  readonly bytes: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds of CPU for one answer, in the gateway and in the database: what else runs does not count. */
  readonly cpu: number;
  /** The status is none that the question may have. */
  readonly isOdd: boolean;
}

/** A question as one asker asks it. */
export interface Asking {
  readonly operation: string;
  readonly question: Question;
  readonly asker: Asker;
}

/** Every question for each of its askers. */
export function everyAsking(only: string): Asking[] {
  return Object.entries(questions).flatMap(([operation, all]) =>
    all.flatMap((question) =>
      (question.by ?? (Object.keys(askers) as Asker[]))
        .filter(() => `${operation} ${textOfQuestion(question)}`.includes(only))
        .map((asker) => ({ operation, question, asker })),
    ),
  );
}

/** Asks once. */
export async function ask(gateway: ChildGateway, { question, asker }: Asking) {
  const key = askers[asker];
  const began = performance.now();
  const answer = await gateway.call(question.path, {
    ...(key === undefined ? {} : { key }),
    ...(question.body === undefined ? {} : { body: question.body }),
  });
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { status: answer.status, bytes, took: performance.now() - began };
}

/** Longer than this a question is asked less often. */
const SLOW = 2000;

/** Asks one after the other, the first time to warm up. */
export async function measure(
  gateway: ChildGateway,
  asking: Asking,
  { repeats, databaseCpu = () => 0 }: { repeats: number; databaseCpu: (() => number) | undefined },
): Promise<Measured> {
  const { operation, question, asker } = asking;
  const { status, bytes, took } = await ask(gateway, asking);
  const mayBe =
    question.isRefused === undefined
      ? [200, ...(asker === "administrator" ? [] : [403, 404])]
      : [400, ...(question.isRefused === true ? [] : [200])];
  const isOdd = !mayBe.includes(status);
  const used = (): number => cpuOf(gateway.process.pid!) + databaseCpu();
  const before = used();
  const times: number[] = [];
  while (times.length < (took > SLOW ? 3 : repeats)) times.push((await ask(gateway, asking)).took);
  const cpu = (used() - before) / 1000 / times.length;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)]!;
  const text = textOfQuestion(question);
  return { operation, text, asker, status, bytes, p50: at(0.5), p95: at(0.95), cpu, isOdd };
}
