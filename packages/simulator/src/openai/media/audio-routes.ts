import type { Exchange } from "../../http/exchange.ts";
import { eventStream, json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { namedEvent } from "../../http/sse.ts";
import { stringOf } from "../../util/json.ts";
import { missingParameter } from "../failures.ts";

const SAMPLES_PER_SECOND = 8000;
const TEXT = "simulated speech";

/** Speech (a second of silence), transcriptions and translations (always the same words). */
export function audioRoutes(): Route[] {
  const heard = (name: string): Route => ({
    method: "POST",
    pattern: `/audio/${name}`,
    handle: transcribe,
    body: "any",
  });
  return [
    { method: "POST", pattern: "/audio/speech", handle: speak },
    heard("transcriptions"),
    heard("translations"),
  ];
}

function speak({ body }: Exchange): Reply {
  const missing = ["model", "input", "voice"].find((name) => body[name] === undefined);
  if (missing !== undefined) throw missingParameter(missing);
  const bytes = silence();
  return { kind: "pieces", contentType: "audio/wav", pieces: [bytes], length: bytes.length };
}

function transcribe({ body }: Exchange): Reply {
  const missing = ["file", "model"].find((name) => body[name] === undefined);
  if (missing !== undefined) throw missingParameter(missing);
  if (body.stream === true || body.stream === "true")
    return eventStream([namedEvent({ type: "transcript.text.done", text: TEXT })]);
  const format = stringOf(body.response_format) ?? "json";
  if (format === "json" || format === "diarized_json") return json({ text: TEXT });
  if (format === "verbose_json")
    return json({ task: "transcribe", language: "english", duration: 1, text: TEXT, segments: [] });
  const timed = {
    srt: `1\n00:00:00,000 --> 00:00:01,000\n${TEXT}\n\n`,
    vtt: `WEBVTT\n\n00:00.000 --> 00:01.000\n${TEXT}\n`,
  };
  const text = timed[format as keyof typeof timed] ?? `${TEXT}\n`;
  return { kind: "pieces", contentType: "text/plain; charset=utf-8", pieces: [text] };
}

/** A WAV file (RIFF, PCM with one channel of 8 bits). */
function silence(): Buffer {
  const bytes = Buffer.alloc(44 + SAMPLES_PER_SECOND, 0x80);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  for (const [place, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    bytes.writeUInt16LE(value, place);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 40);
  return bytes;
}
