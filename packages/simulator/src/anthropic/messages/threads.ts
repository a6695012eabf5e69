import { isObject, type JsonObject, type JsonValue, objectsIn, stringOf } from "../../util/json.ts";
import { invalidRequest, threadContinued, threadNotFound } from "../failures.ts";

const BETA = "message-threads-2026-08-12";
const MAX_THREADS = 1000;

/** A conversation up to the end of an answer. */
interface Thread {
  readonly system: JsonValue | undefined;
  readonly tools: JsonValue | undefined;
  readonly messages: readonly JsonValue[];
  isContinued: boolean;
}

/** A request with all that came before it in its thread. */
interface ThreadedRequest {
  readonly body: JsonObject;
  /** Keeps the conversation with its answer. */
  keep(id: string, content: readonly JsonObject[]): void;
}

/**
 * Message threads (Anthropic's beta): the conversation is kept under the answer's id, and a request that continues it
 * brings its own messages only. An answer is continued once.
 */
export class ThreadStore {
  readonly #threads = new Map<string, Thread>();

  /** @param betas the request's `anthropic-beta` */
  open(request: JsonObject, betas: string): ThreadedRequest {
    const { thread, ...body } = request;
    if (thread === undefined || thread === null) return { body, keep: () => {} };
    if (!betas.includes(BETA)) throw invalidRequest("thread: Extra inputs are not permitted");
    if (!isObject(thread)) throw invalidRequest("thread: Input should be a valid dictionary");
    if (thread.type === "create") return this.#kept(body, undefined);
    if (thread.type !== "continue")
      throw invalidRequest("thread.type: Input should be 'create' or 'continue'");
    const id = stringOf(thread.previous_message_id);
    if (id === undefined) throw invalidRequest("thread.previous_message_id: Field required");
    const before = this.#threads.get(id);
    if (before === undefined) throw threadNotFound(id);
    if (before.isContinued) throw threadContinued(id);
    for (const name of ["system", "tools"])
      if (body[name] !== undefined)
        throw invalidRequest(`${name}: not permitted when a thread is continued; the thread has its own`);
    const own = objectsIn(body.messages);
    if (own.length === 0) throw invalidRequest("messages: at least one message is required");
    const { system, tools } = before;
    const all = {
      ...body,
      messages: [...before.messages, ...own],
      ...(system === undefined ? {} : { system }),
      ...(tools === undefined ? {} : { tools }),
    };
    return this.#kept(all, before);
  }

  clear(): void {
    this.#threads.clear();
  }

  #kept(body: JsonObject, before: Thread | undefined): ThreadedRequest {
    return {
      body,
      keep: (id, content) => {
        if (before !== undefined) before.isContinued = true;
        const answer = { role: "assistant", content: [...content] };
        const messages = [...objectsIn(body.messages), answer];
        this.#threads.set(id, { system: body.system, tools: body.tools, messages, isContinued: false });
        const [oldest] = this.#threads.keys();
        if (this.#threads.size > MAX_THREADS && oldest !== undefined) this.#threads.delete(oldest);
      },
    };
  }
}
