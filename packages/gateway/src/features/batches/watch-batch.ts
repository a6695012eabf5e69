import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { insertLateSpend } from "../../core/objects/late-spend.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import type { Lease } from "../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../platform/queue/worker.ts";
import { MAX_LINE } from "../files/batch-input.ts";
import { linesOf } from "../files/split-lines.ts";
import { ownerOf } from "../files/stored-file.ts";
import type { BatchDeps } from "./batch-deps.ts";
import type { BatchJobs } from "./batch-jobs.ts";
import { BATCH_COST, costOfUsage, forgetHold, internalContext } from "./batch-spend.ts";
import { runnableEndpoints } from "./create-request.ts";
import { resultFiles, spenderOf } from "./provider-batches.ts";

/** Milliseconds between looks at a provider's batch: soon at first, then every five minutes. */
const FIRST_LOOK = 2000;
const MAX_PAUSE = 300_000;
/** Looks after which the batch counts as lost: about two and a half days. */
const MAX_LOOKS = 750;
const over = new Set(["completed", "failed", "expired", "cancelled"]);

/**
 * Follows a batch at a provider until it is over: then accounts for its cost, once, out of its result files, and
 * tells the owner's webhook.
 */
export async function watchBatch(
  deps: BatchDeps,
  jobs: BatchJobs,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const id = String(lease.payload.batch);
  const looks = Number(lease.checkpoint?.looks ?? 0);
  const batch = await locate(deps, id);
  if (batch === undefined || looks > MAX_LOOKS) {
    await forgetHold(deps, id);
    return { done: true };
  }
  const context = internalContext(BATCH_COST, signal);
  const path = upstreamPath`/batches/${batch.providerId}`;
  const answer = await deps.files.client
    .json(batch.origin, { method: "GET", path }, context)
    .catch((error: unknown) => {
      deps.logger.debug({ batch: id, error: String(error) }, "a provider's batch could not be looked at");
      return undefined;
    });
  if (answer === undefined || !over.has(String(answer.status))) {
    await deps.queue.checkpoint(lease, { looks: looks + 1 });
    return { again: Date.now() + Math.min(MAX_PAUSE, FIRST_LOOK * 1.3 ** looks) };
  }
  await account(deps, batch, answer, signal);
  const { url } = lease.payload;
  if (typeof url === "string") {
    const tenant = batch.row!.tenant;
    await jobs.control("webhook", id, {
      native: { url, tenant, status: answer.status, endedAt: Date.now() },
    });
  }
  return { done: true };
}

async function locate(deps: BatchDeps, id: string): Promise<AddressedObject | undefined> {
  const row = await deps.objects?.find(id);
  if (row === undefined) return undefined;
  const { origin, providerId } = await deps.ownership.locate("batch", id, ownerOf(row));
  if (origin === undefined || providerId === undefined) return undefined;
  return { id, row, origin, providerId, targetModels: [] };
}

/** One row of the spend log for the whole batch; its id follows from the batch, so a second one is refused. */
async function account(
  deps: BatchDeps,
  batch: AddressedObject,
  answer: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const context = internalContext(BATCH_COST, signal);
  const owner = ownerOf(batch.row!);
  await resultFiles(deps.ownership, answer, batch.origin, owner);
  const format = runnableEndpoints.get(String(answer.endpoint).replace(/^(?!\/v1)/, "/v1"));
  let model: string | undefined;
  let cost = 0;
  let total: Usage = noUsage;
  for (const name of ["output_file_id", "error_file_id"]) {
    const file = answer[name];
    if (typeof file !== "string" || file === "") continue;
    const path = upstreamPath`/files/${file}/content`;
    const { body } = await deps.files.client.request(batch.origin, { method: "GET", path }, context);
    for await (const { bytes } of linesOf(body, MAX_LINE * 4)) {
      const result = bodyOf(bytes);
      if (result === undefined) continue;
      const usage =
        format === undefined || format === "embeddings"
          ? openaiEmbeddingUsage(result)
          : deps.calls.dialectOf(format as DialectFormat).usageOf(result);
      if (usage === undefined) continue;
      const name = String(result.model ?? answer.model ?? "");
      model ??= name;
      cost += costOfUsage(deps, batch.origin, name, usage);
      total = plus(total, usage);
    }
  }
  await insertLateSpend(deps, {
    requestId: batch.id,
    callType: BATCH_COST,
    principal: spenderOf(batch.row!),
    origin: batch.origin,
    model,
    status: answer.status === "failed" ? "failure" : "success",
    startedAt: batch.row!.created_at,
    usage: total,
    cost,
    requests: requestsOf(answer),
  });
}

function requestsOf({ request_counts: counts }: JsonObject): { completed: number; failed: number } {
  const { completed, failed } = isJsonObject(counts) ? counts : {};
  return { completed: Number(completed ?? 0), failed: Number(failed ?? 0) };
}

function bodyOf(bytes: Buffer): JsonObject | undefined {
  try {
    const line: unknown = JSON.parse(bytes.toString("utf8"));
    const response = isJsonObject(line) ? line.response : undefined;
    const body = isJsonObject(response) ? response.body : undefined;
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function plus(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    reasoning: left.reasoning + right.reasoning,
  };
}

/** Usage of an answer of OpenAI's endpoints that have no dialect here, such as embeddings. */
function openaiEmbeddingUsage(answer: JsonObject): Usage | undefined {
  const { usage } = answer;
  if (!isJsonObject(usage)) return undefined;
  const count = (...names: string[]): number =>
    Number(names.map((name) => usage[name]).find((value) => typeof value === "number") ?? 0);
  return {
    ...noUsage,
    input: count("prompt_tokens", "input_tokens"),
    output: count("completion_tokens", "output_tokens"),
  };
}
