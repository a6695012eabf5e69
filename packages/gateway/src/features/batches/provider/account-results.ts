import {
  isJsonObject,
  type JsonObject,
  memberAt,
  objectOf,
  parseJsonObject,
} from "../../../contract/json.ts";
import { upstreamPath } from "../../../contract/upstream-path.ts";
import { noUsage, sumOfUsage, type Usage } from "../../../contract/usage.ts";
import type { WireFormat } from "../../../contract/wire-format.ts";
import { insertLateSpend } from "../../../core/objects/late-spend.ts";
import type { AddressedObject } from "../../../core/objects/locate-origin.ts";
import type { DialectFormat } from "../../../formats/registry.ts";
import { areCounts, count } from "../../../formats/usage.ts";
import { MAX_LINE } from "../../files/batch-input.ts";
import { linesOf } from "../../files/split-lines.ts";
import { ownerOf } from "../../files/stored-file.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { BATCH_COST, costOfUsage, internalContext } from "../batch-spend.ts";
import { runnableEndpoints } from "../create-request.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { resultFiles, spenderOf } from "../provider-batches.ts";
import { resultNames } from "./look-at.ts";

/**
 * Reads the result files of a batch that is over and accounts for them: one row of the spend log for the whole batch,
 * whose id follows from the batch, so that a second one is refused.
 * @param taken told of each line; files that the provider does not have are then left out, and nothing stands in the
 * log when it has none
 * @throws GatewayError as the provider answers
 */
export async function accountResults(
  deps: BatchDeps,
  batch: AddressedObject,
  answer: JsonObject,
  signal: AbortSignal,
  taken?: (line: Buffer, usage: Usage | undefined) => Promise<void>,
): Promise<void> {
  const context = internalContext(BATCH_COST, signal);
  const owner = ownerOf(batch.row!);
  await resultFiles(deps.ownership, answer, batch.origin, owner);
  const format = runnableEndpoints.get(String(answer.endpoint).replace(/^(?!\/v1)/, "/v1"));
  let model: string | undefined;
  let cost = 0;
  let total: Usage = noUsage;
  let files = 0;
  for (const name of resultNames) {
    const file = answer[name];
    if (typeof file !== "string" || file === "") continue;
    const path = upstreamPath`/files/${file}/content`;
    const content = await deps.files.client
      .request(batch.origin, { method: "GET", path }, context)
      .catch((error: unknown) => {
        if (taken !== undefined && lacksBatches(error)) return undefined;
        throw error;
      });
    if (content === undefined) continue;
    files += 1;
    for await (const { bytes } of linesOf(content.body, MAX_LINE * 4)) {
      const result = bodyOf(bytes);
      const usage = result && usageOf(deps, format, result);
      await taken?.(bytes, usage);
      if (result === undefined || usage === undefined) continue;
      const name = String(result.model ?? answer.model ?? "");
      model ??= name;
      cost += costOfUsage(deps, batch.origin, name, usage);
      total = sumOfUsage(total, usage);
    }
  }
  if (taken !== undefined && files === 0) return;
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

function usageOf(deps: BatchDeps, format: WireFormat | undefined, result: JsonObject): Usage | undefined {
  if (format === undefined || format === "embeddings") return openaiEmbeddingUsage(result);
  return deps.calls.dialectOf(format as DialectFormat).usageOf(result);
}

function requestsOf({ request_counts: counts }: JsonObject): { completed: number; failed: number } {
  const { completed, failed } = objectOf(counts);
  return { completed: Number(completed ?? 0), failed: Number(failed ?? 0) };
}

function bodyOf(bytes: Buffer): JsonObject | undefined {
  const body = memberAt(parseJsonObject(bytes.toString("utf8")), ["response", "body"]);
  return isJsonObject(body) ? body : undefined;
}

/** Usage of an answer of OpenAI's endpoints that have no dialect here, such as embeddings. */
function openaiEmbeddingUsage(answer: JsonObject): Usage | undefined {
  const { usage } = answer;
  if (!isJsonObject(usage)) return undefined;
  const input = usage.prompt_tokens ?? usage.input_tokens;
  const output = usage.completion_tokens ?? usage.output_tokens;
  return areCounts(input, output) ? { ...noUsage, input: count(input), output: count(output) } : undefined;
}
