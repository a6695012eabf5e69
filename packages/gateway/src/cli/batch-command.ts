import { createWriteStream, existsSync, openAsBlob, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { SetupError } from "../contract/setup-error.ts";
import { decodeSse } from "../formats/sse-event.ts";
import { UsageError } from "./explain-error.ts";
import { type CommandHelp, type FlagValues, readArguments } from "./flags.ts";
import { dataDirectory } from "./serve-options.ts";

/** The help of `portico batch`. */
const BATCH = {
  usage: ["portico batch run FILE [flags]"],
  about: "Uploads a file of requests to a running gateway, shows the progress and writes the results.",
  flags: {
    model: { value: "NAME", doc: "the model that runs the batch, as the gateway names it" },
    url: { value: "URL", doc: "the gateway (http://127.0.0.1:4000)" },
    key: {
      value: "KEY",
      doc: "the gateway key (PORTICO_API_KEY, else the master key in the data directory)",
    },
    endpoint: { value: "PATH", doc: "what the requests call (the url of the file's first request)" },
    window: { value: "LENGTH", doc: "the completion window (24h)" },
    execution: { value: "WHERE", doc: "auto, provider or gateway (auto)" },
    output: { value: "FILE", doc: "where the results go (standard output)" },
    "data-dir": { value: "DIR", doc: "where the master key is kept (PORTICO_DATA_DIR; ./portico-data)" },
  },
} as const satisfies CommandHelp;

type Flags = FlagValues<typeof BATCH.flags>;

/** A gateway to talk to. */
interface Gateway {
  readonly url: string;
  readonly key: string;
}

/**
 * `portico batch run FILE --model M`: uploads a file of requests to a running gateway, shows the progress and writes
 * the results to `--output`, else to standard output. Resolves with 0 when every request was answered.
 */
export async function batchCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, BATCH);
  if (read === undefined) return 0;
  const { values, positionals } = read;
  const [action, file, ...more] = positionals;
  if (action !== "run") throw new UsageError("portico batch needs the word run and a file");
  if (file === undefined || more.length > 0) throw new UsageError("portico batch run needs one file");
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const gateway = { url: (values.url ?? "http://127.0.0.1:4000").replace(/\/+$/, ""), key: keyOf(values) };
  const batch = await follow(gateway, await create(gateway, file, values));
  await writeResults(gateway, batch, values.output);
  const { status, errors } = batch;
  if (isJsonObject(errors)) process.stderr.write(`${JSON.stringify(errors.data)}\n`);
  return status === "completed" && batch.error_file_id === null ? 0 : 1;
}

/** The key given, the environment's, or the one that the gateway made for itself on this machine. */
function keyOf(values: Flags): string {
  const given = values.key ?? process.env.PORTICO_API_KEY;
  if (given !== undefined && given !== "") return given;
  const file = join(dataDirectory(values["data-dir"], process.env), "master-key");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new UsageError("a key is needed: --key or the environment variable PORTICO_API_KEY");
}

async function create(gateway: Gateway, file: string, values: Flags): Promise<JsonObject> {
  const form = new FormData();
  form.append("purpose", "batch");
  if (values.model !== undefined) form.append("target_model_names", values.model);
  form.append("file", await openAsBlob(file), basename(file));
  const uploaded = await json(gateway, "/v1/files", { method: "POST", body: form });
  const body = JSON.stringify({
    input_file_id: uploaded.id,
    endpoint: values.endpoint ?? (await firstUrl(file)),
    completion_window: values.window ?? "24h",
    ...(values.execution === undefined ? {} : { execution: values.execution }),
  });
  const headers = { "content-type": "application/json" };
  return json(gateway, "/v1/batches", { method: "POST", body, headers });
}

/** The endpoint that the file's first request names. */
async function firstUrl(file: string): Promise<string> {
  const start = await (await openAsBlob(file)).slice(0, 65_536).text();
  return /"url"\s*:\s*"([^"\\]+)"/.exec(start)?.[1] ?? "/v1/chat/completions";
}

/** Shows each change until the batch is over; a broken connection is made anew. */
async function follow(gateway: Gateway, created: JsonObject): Promise<JsonObject> {
  const isTerminal = process.stderr.isTTY === true;
  const show = (batch: JsonObject): void => {
    const line = progressLine(batch, isTerminal ? (process.stderr.columns ?? 80) : 80);
    process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  };
  const path = `/v1/batches/${encodeURIComponent(String(created.id))}/events`;
  for (let batch = created; ; ) {
    const response = await send(gateway, path, {});
    try {
      for await (const { data } of decodeSse(response.body!)) {
        batch = JSON.parse(data) as JsonObject;
        show(batch);
      }
    } catch {
      process.stderr.write("the connection broke, trying again\n");
    }
    if (["completed", "failed", "expired", "cancelled"].includes(String(batch.status))) {
      if (isTerminal) process.stderr.write("\n");
      return batch;
    }
  }
}

async function writeResults(gateway: Gateway, batch: JsonObject, output: string | undefined): Promise<void> {
  const target: NodeJS.WritableStream = output === undefined ? process.stdout : createWriteStream(output);
  for (const id of [batch.output_file_id, batch.error_file_id]) {
    if (typeof id !== "string") continue;
    const response = await send(gateway, `/v1/files/${encodeURIComponent(id)}/content`, {});
    await pipeline(Readable.fromWeb(response.body as never), target, { end: false });
  }
  if (output !== undefined) await new Promise<void>((resolve) => target.end(() => resolve()));
}

async function json(gateway: Gateway, path: string, init: RequestInit): Promise<JsonObject> {
  return (await (await send(gateway, path, init)).json()) as JsonObject;
}

async function send({ url, key }: Gateway, path: string, init: RequestInit): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}` };
  const response = await fetch(url + path, { ...init, headers }).catch(() => {
    throw new UsageError(`there is no gateway at ${url}`);
  });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const error =
    isJsonObject(body) && isJsonObject(body.error) ? String(body.error.message) : "no reason given";
  throw new SetupError(`the gateway answered with status ${response.status}: ${error}`);
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
