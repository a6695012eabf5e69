import { closeSync, existsSync, openAsBlob, openSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { SetupError } from "../contract/setup-error.ts";
import { decodeSse } from "../formats/sse-event.ts";
import { parseDuration } from "../util/duration.ts";
import { UsageError } from "./explain-error.ts";
import { type CommandHelp, type FlagValues, readArguments } from "./flags.ts";
import { GatewayClient, gatewayFlags } from "./gateway-client.ts";

/** The help of `portico batch`. */
const BATCH = {
  usage: ["portico batch run FILE [flags]"],
  about: "Uploads a file of requests to a running gateway, shows the progress and writes the results.",
  flags: {
    model: { value: "NAME", doc: "the model that runs the batch, as the gateway names it" },
    endpoint: { value: "PATH", doc: "what the requests call (the url of the file's first request)" },
    window: { value: "LENGTH", doc: "the completion window (24h)" },
    execution: { value: "WHERE", doc: "auto, provider or gateway (auto)" },
    json: { doc: "show the progress as JSON, one batch a line" },
    output: { value: "FILE", doc: "where the results go (standard output)" },
    ...gatewayFlags,
  },
} as const satisfies CommandHelp;

type Flags = FlagValues<typeof BATCH.flags>;

/**
 * `portico batch run FILE --model M`: uploads a file of requests to a running gateway, shows the progress and writes
 * the results to `--output`, else to standard output. Resolves with 0 when every request was answered.
 */
export async function batchCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, BATCH);
  if (read === undefined) return 0;
  const { values, positionals } = read;
  const [action, file, ...more] = positionals;
  if (action !== "run")
    throw new UsageError("batch needs run and a file, as in portico batch run rows.jsonl --model NAME");
  if (file === undefined || more.length > 0) throw new UsageError("batch run needs one file");
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  checkFlags(values);
  const gateway = new GatewayClient(values);
  const batch = await follow(gateway, await create(gateway, file, values), values.json === true);
  await writeResults(gateway, batch, values.output);
  const { status, errors } = batch;
  if (isJsonObject(errors)) process.stderr.write(`${JSON.stringify(errors.data)}\n`);
  return status === "completed" && batch.error_file_id === null ? 0 : 1;
}

const EXECUTIONS = ["auto", "provider", "gateway"];

/** What would be refused only when everything is uploaded, or has run. @throws UsageError */
function checkFlags({ execution, output, window }: Flags): void {
  if (window !== undefined && parseDuration(window) === undefined)
    throw new UsageError(`--window must be a length of time such as 24h, not ${window || "empty"}`);
  if (execution !== undefined && !EXECUTIONS.includes(execution))
    throw new UsageError(`--execution must be auto, provider or gateway, not ${execution || "empty"}`);
  if (output === undefined) return;
  try {
    // What stands there stays until the results come.
    closeSync(openSync(output, "a"));
  } catch (error) {
    throw new UsageError(`--output: ${output} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function create(gateway: GatewayClient, file: string, values: Flags): Promise<JsonObject> {
  const form = new FormData();
  form.append("purpose", "batch");
  if (values.model !== undefined) form.append("target_model_names", values.model);
  form.append("file", await openAsBlob(file), basename(file));
  if (values.json !== true)
    process.stderr.write(`uploading ${basename(file)}, ${megabytes(statSync(file).size)}\n`);
  const uploaded = await gateway.json("/v1/files", { method: "POST", body: form });
  const body = JSON.stringify({
    input_file_id: uploaded.id,
    endpoint: values.endpoint ?? (await firstUrl(file)),
    completion_window: values.window ?? "24h",
    ...(values.execution === undefined ? {} : { execution: values.execution }),
  });
  const headers = { "content-type": "application/json" };
  return gateway.json("/v1/batches", { method: "POST", body, headers });
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The endpoint that the file's first request names. */
async function firstUrl(file: string): Promise<string> {
  const start = await (await openAsBlob(file)).slice(0, 65_536).text();
  return /"url"\s*:\s*"([^"\\]+)"/.exec(start)?.[1] ?? "/v1/chat/completions";
}

/** Shows each change until the batch is over; a broken connection is made anew. */
async function follow(gateway: GatewayClient, created: JsonObject, asJson: boolean): Promise<JsonObject> {
  const isTerminal = process.stderr.isTTY === true && !asJson;
  const show = (batch: JsonObject): void => {
    if (asJson) {
      process.stderr.write(`${JSON.stringify(batch)}\n`);
      return;
    }
    const line = progressLine(batch, isTerminal ? (process.stderr.columns ?? 80) : 80);
    process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  };
  const tell = (words: string): void => {
    if (!asJson) process.stderr.write(`${words}\n`);
  };
  const path = `/v1/batches/${encodeURIComponent(String(created.id))}/events`;
  for (let batch = created; ; ) {
    const response = await gateway.send(path);
    try {
      for await (const { data } of decodeSse(response.body!)) {
        batch = JSON.parse(data) as JsonObject;
        show(batch);
      }
    } catch {
      tell("the connection broke, trying again");
    }
    if (["completed", "failed", "expired", "cancelled"].includes(String(batch.status))) {
      if (isTerminal) process.stderr.write("\n");
      return batch;
    }
  }
}

async function writeResults(
  gateway: GatewayClient,
  batch: JsonObject,
  output: string | undefined,
): Promise<void> {
  const ids = [batch.output_file_id, batch.error_file_id].filter((id) => typeof id === "string");
  const write = async (target: NodeJS.WritableStream): Promise<void> => {
    for (const id of ids) {
      const response = await gateway.send(`/v1/files/${encodeURIComponent(id)}/content`);
      await pipeline(Readable.fromWeb(response.body as never), target, { end: false });
    }
  };
  if (output === undefined) return write(process.stdout);
  try {
    const target = (await open(output, "w")).createWriteStream();
    await write(target);
    await pipeline(Readable.from([]), target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const places = ids.map((id) => `${gateway.url}/v1/files/${id}/content`).join(" and ");
    throw new SetupError(`${output} cannot be written (${code}); the results are kept at ${places}`);
  }
}

/** A batch's progress in one line of so many columns: a bar, the counts and the status. */
function progressLine(batch: JsonObject, columns: number): string {
  const counts = isJsonObject(batch.request_counts) ? batch.request_counts : {};
  const [total, completed, failed] = [counts.total, counts.completed, counts.failed].map(Number);
  const done = (completed ?? 0) + (failed ?? 0);
  const part = total === undefined || total === 0 ? 0 : done / total;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const words = ` ${String(Math.floor(part * 100)).padStart(3)} %  ${done}/${total}${failures}  ${batch.status}`;
  const width = Math.max(10, Math.min(40, columns - words.length - 3));
  const filled = Math.round(part * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}]${words}`;
}
