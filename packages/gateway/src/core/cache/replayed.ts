import { isDeepStrictEqual } from "node:util";
import { type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { noUsage } from "../../contract/usage.ts";
import { guardNative } from "../../formats/guarded-stream.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { eventsIn, replayOf } from "../../formats/replay.ts";
import { StreamProgress } from "../../formats/stream-outcome.ts";
import type { Answer } from "../call/answer.ts";
import type { PreparedCall } from "../call/prepare-call.ts";
import type { Entry } from "./entry.ts";

/** The answer of an entry as a call wants it, whole or as a stream; `undefined` where it makes none. */
export function replayed(entry: Entry, prepared: PreparedCall): Answer | undefined {
  const { call, data, stream: wantsStream, deps } = prepared;
  const { format } = call;
  if (!wantsStream || format === "embeddings") {
    const text = entry.kind === "whole" ? entry.text : wholeText(entry, format);
    if (text === undefined) return undefined;
    const body = Buffer.from(text);
    return { kind: "whole", body, contentType: entry.contentType, usage: noUsage, headers: {} };
  }
  const text = streamText(entry, format, data);
  if (text === undefined) return undefined;
  const progress = new StreamProgress();
  const stream = guardNative(once(Buffer.from(text)), deps.dialectOf(format), progress);
  return { kind: "stream", stream, progress, headers: {} };
}

function wholeText(entry: Entry, format: string): string | undefined {
  const answer = wholeOf(entry, format as DialectFormat);
  return answer && JSON.stringify(answer);
}

function wholeOf(entry: Entry, format: DialectFormat): JsonObject | undefined {
  if (entry.kind === "whole") return parseJsonObject(entry.text);
  return replayOf(format).wholeOf(eventsIn(entry.text), entry.usage);
}

/** The events as they came, where the caller wants the same of them; else those that tell the whole answer. */
function streamText(entry: Entry, format: DialectFormat, request: JsonObject): string | undefined {
  const isSame = isDeepStrictEqual(entry.streamOptions, request.stream_options ?? null);
  if (entry.kind === "stream" && isSame) return entry.text;
  const answer = wholeOf(entry, format);
  return answer && replayOf(format).eventsOf(answer, request);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
