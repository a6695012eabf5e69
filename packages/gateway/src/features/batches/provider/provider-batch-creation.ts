import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import { upstreamPath } from "../../../contract/upstream-path.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import type { ResourceClient, ResourceContext } from "../../../core/objects/resource-client.ts";
import type { ResourceDeps } from "../../../core/objects/resource-deps.ts";
import type { Store } from "../../../platform/store/schema.ts";
import { type BatchJobs, CONTROL_QUEUE } from "../batch-jobs.ts";
import { batchCost } from "../batch-spend.ts";
import { type Fallback, madeBatchId, registerBatch } from "../provider-batches.ts";
import type { BatchSubmissionRow } from "../table.ts";
import { findSubmitted } from "./find-submitted.ts";
import { ALIVE_MS, type NewProviderBatch, newSubmission } from "./new-submission.ts";
import type { SubmissionStore } from "./submission-store.ts";

export interface ProviderBatchCreationDeps extends Pick<ResourceDeps, "config" | "ownership" | "limiter"> {
  readonly client: ResourceClient;
  readonly submissions: SubmissionStore;
  readonly jobs: BatchJobs;
}

/** Milliseconds between looks at a request that another process works on. */
const POLL_MS = 100;
/** Milliseconds after which a batch is looked for whose creator is gone, and nobody has asked again. */
const ADOPT_AFTER = 8000;
/** Milliseconds after which a batch is looked at for the first time. */
const WATCH_AFTER = 2000;

/**
 * Creates batches at providers with OpenAI's API, each once: what is sent stands in the store before, and where the
 * answer is lost, because the connection broke or the process was killed, the batch is looked for at the provider
 * before the same request is sent again. Nobody may ask again: then a job finds it, and its owner finds it in the list.
 */
export class ProviderBatchCreation {
  readonly #deps: ProviderBatchCreationDeps;

  constructor(deps: ProviderBatchCreationDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the provider's `batch` object with the ids that the caller knows
   * @throws GatewayError as the provider answers
   */
  async create(batch: NewProviderBatch): Promise<JsonObject> {
    const { submissions } = this.#deps;
    const row = newSubmission(batch);
    for (;;) {
      batch.context.signal.throwIfAborted();
      if (await submissions.claim(row)) return this.#submit(row, batch);
      const found = await submissions.find(row.id);
      if (found === undefined) continue;
      if (found.alive_until > Date.now()) {
        await sleep(POLL_MS);
        continue;
      }
      if (found.expires_at <= Date.now()) {
        await submissions.delete(found);
        continue;
      }
      const mine = await this.takeOver(found, row.owner);
      if (mine === undefined) continue;
      const recovered = await this.recover(mine, batch.context);
      if (recovered === undefined) return this.#submit(mine, batch);
      await this.#settle(mine, batch);
      return recovered;
    }
  }

  /** Takes a submission over from one who is gone; `undefined` when somebody else was faster. */
  async takeOver(found: BatchSubmissionRow, owner: string): Promise<BatchSubmissionRow | undefined> {
    const state = found.state === "sent" ? "lost" : found.state;
    const mine = { ...found, state, owner, alive_until: Date.now() + ALIVE_MS };
    return (await this.#deps.submissions.takeOver(mine, found)) ? mine : undefined;
  }

  /** The batch that came of a submission; `undefined` when the provider has none. */
  recover(row: BatchSubmissionRow, context: ResourceContext): Promise<JsonObject | undefined> {
    return this.#holding(row, async () => {
      const { state, sent_at: sentAt, body } = row;
      if (state === "new" || sentAt === null || body === null) return undefined;
      if (state === "made" || state === "accepted") return this.#make(row, JSON.parse(row.answer!));
      const { submissions, client, ownership } = this.#deps;
      while (await submissions.isContested(row, Date.now())) await sleep(POLL_MS);
      const submitted = { origin: this.#originOf(row), body: JSON.parse(body) as JsonObject, sentAt };
      const answer = await findSubmitted(client, ownership, submitted, context);
      return answer && this.#accept(row, answer);
    });
  }

  /** Leaves a submission to whoever asks next. */
  async release(row: BatchSubmissionRow): Promise<void> {
    await this.#deps.submissions.update(row, { alive_until: 0 });
  }

  /** Forgets submissions of which the same request is no longer taken for a repetition. */
  removeExpired(): Promise<void> {
    return this.#deps.submissions.removeExpired(Date.now());
  }

  async #submit(row: BatchSubmissionRow, batch: NewProviderBatch): Promise<JsonObject> {
    const { client, submissions, limiter } = this.#deps;
    const { origin, context } = batch;
    const made = await this.#holding(row, async () => {
      const place = { provider: origin.provider, deployment_id: origin.deployment?.id ?? null };
      const body = await this.#prepare(row, batch, place);
      if (body === undefined) return undefined;
      // Not documented, but OpenAI's own clients have an option for it.
      const headers = { "idempotency-key": row.token };
      const request = { method: "POST", path: upstreamPath`/batches`, body, headers };
      const making = client
        .json(origin, request, context)
        .then((made) => ({ ...made, id: madeBatchId(made) }));
      const answer = await making.catch(async (error: unknown) => {
        if (isRefusal(error)) {
          await limiter.forget(batchCost(row.token));
          await submissions.delete(row);
        }
        throw error;
      });
      return this.#accept({ ...row, ...place }, answer);
    });
    // Somebody took it for lost, so the caller gets what that one has made of it.
    if (made === undefined) return this.create(batch);
    await this.#settle(row, batch);
    return made;
  }

  /**
   * Writes down what is about to be sent. From then on the submission has its share of the budget, and a job that looks
   * for the batch at the provider: both or none.
   * @returns what is to be sent; `undefined` when another process has taken the submission over
   */
  async #prepare(
    row: BatchSubmissionRow,
    batch: NewProviderBatch,
    place: Pick<BatchSubmissionRow, "provider" | "deployment_id">,
  ): Promise<JsonObject | undefined> {
    const { submissions, jobs, limiter } = this.#deps;
    const as = batchCost(row.token);
    // The provider made nothing of an earlier try, whose share may be what is needed now.
    if (row.state === "lost") await limiter.forget(as);
    const reservation = await batch.hold();
    let isMine = false;
    try {
      const provider_file_id = await batch.fileAtProvider();
      const body = { ...batch.body, input_file_id: provider_file_id };
      const now = Date.now();
      const sent = { provider_file_id, body: JSON.stringify(body), sent_at: row.sent_at ?? now };
      const job = { key: `adopt:${row.token}`, token: row.token };
      isMine = await submissions.updateWith(row, { state: "sent", ...place, ...sent }, async (db) => {
        await jobs.control("adopt", row.id, job, now + ADOPT_AFTER, db);
        await reservation?.keepUntilSpent(as, db);
      });
      jobs.wakeAt(CONTROL_QUEUE, now + ADOPT_AFTER);
      return isMine ? body : undefined;
    } finally {
      if (!isMine) reservation?.release();
    }
  }

  /** The provider's answer counts from the moment that it is written down. */
  async #accept(row: BatchSubmissionRow, answer: JsonObject): Promise<JsonObject> {
    await this.#deps.submissions.update(row, { state: "accepted", answer: JSON.stringify(answer) });
    return this.#make(row, answer);
  }

  /** Everything here may be done twice. */
  async #make(row: BatchSubmissionRow, answer: JsonObject): Promise<JsonObject> {
    const { ownership, jobs, submissions, limiter } = this.#deps;
    const principal = JSON.parse(row.principal) as Principal;
    const made = await registerBatch(ownership, answer, {
      principal,
      origin: this.#originOf(row),
      inputFileId: row.input_file_id,
      ...(row.fallback === null
        ? {}
        : { kept: { ...fallbackOf(row), principal, webhookUrl: row.webhook_url } }),
    });
    if (row.state === "made") return made;
    const { webhook_url: url } = row;
    const watch = (within?: Store["db"]): Promise<void> =>
      jobs.control("watch", made.id, url === null ? {} : { url }, Date.now() + WATCH_AFTER, within);
    const isMine = await submissions.updateWith(row, { state: "made" }, async (db) => {
      await limiter.pass(batchCost(row.token), batchCost(made.id), db);
      await watch(db);
    });
    if (isMine) jobs.wakeAt(CONTROL_QUEUE, Date.now() + WATCH_AFTER);
    // Whoever took the submission over did not know of this batch, which costs something all the same.
    else await watch();
    return made;
  }

  /** The caller is about to be told. The next request like it makes another batch, unless it bears the same name. */
  #settle(row: BatchSubmissionRow, { key }: NewProviderBatch): Promise<void> {
    return key === undefined ? this.#deps.submissions.delete(row) : this.release(row);
  }

  /** Shows meanwhile that the submission is being worked on. */
  async #holding<T>(row: BatchSubmissionRow, work: () => Promise<T>): Promise<T> {
    const letGo = this.#deps.submissions.keepAlive(row, ALIVE_MS);
    try {
      return await work();
    } catch (error) {
      await this.release(row);
      throw error;
    } finally {
      letGo();
    }
  }

  /** A deployment that is gone leaves its provider, which is then called directly. */
  #originOf({ provider, deployment_id }: BatchSubmissionRow): Origin {
    const { deployments } = this.#deps.config.current;
    return { deployment: deployments.find(({ id }) => id === deployment_id), provider };
  }
}

function fallbackOf({ fallback }: BatchSubmissionRow): Fallback {
  return JSON.parse(fallback!) as Fallback;
}

/** Whether the provider has certainly made nothing: it said so. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { status } = error;
  return status === 501 || (status >= 400 && status < 499 && status !== 408);
}
