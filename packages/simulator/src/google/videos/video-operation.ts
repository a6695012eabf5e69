import { createHash } from "node:crypto";
import { videoBytes } from "../../answers/video-bytes.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import type { JsonObject } from "../../util/json.ts";
import type { GoogleFile, GoogleFileStore } from "../files/file-store.ts";

/** How a video ends: made, stopped by a filter, or failed. */
export type VideoEnd = "made" | "filtered" | "failed";

/** How a video ends that was asked for with these notes in its prompt. */
export function endOf(flags: ReadonlySet<string>): VideoEnd {
  if (flags.has("fail")) return "failed";
  return flags.has("content-policy") ? "filtered" : "made";
}

/** A long-running operation that makes a video; times in milliseconds. */
export interface VideoOperation {
  /** `models/<model>/operations/<id>`. */
  readonly name: string;
  readonly created: number;
  readonly runningMs: number;
  readonly bytes: number;
  readonly end: VideoEnd;
  /** The video's file, from the first look after it was made. */
  file: Promise<GoogleFile> | undefined;
}

/** The `Operation` resource as it is now; a video that is done by now becomes a file of the account. */
export async function operationResource(
  operation: VideoOperation,
  state: SimulatorState,
  files: GoogleFileStore,
  base: string,
): Promise<JsonObject> {
  const { name } = operation;
  const unmade = withoutVideo(operation, state.clock());
  if (unmade !== undefined)
    return unmade === "filtered" ? { name, done: true, response: typed(filtered) } : unmade;
  operation.file ??= makeFile(operation, state, files);
  const file = await operation.file;
  const uri = `${base}/v1beta/${file.name}:download?alt=media`;
  return { name, done: true, response: typed({ generatedSamples: [{ video: { uri } }] }) };
}

/** The operation while it runs or when it failed; `filtered` when it was stopped; undefined when there is a video. */
export function withoutVideo(
  { name, created, runningMs, end }: VideoOperation,
  now: number,
): JsonObject | "filtered" | undefined {
  if (now - created < runningMs) return { name };
  if (end === "failed")
    return { name, done: true, error: { code: 13, message: "The video could not be made." } };
  return end === "filtered" ? end : undefined;
}

/** What a response says of a video that was stopped. */
export const filtered: JsonObject = {
  raiMediaFilteredCount: 1,
  raiMediaFilteredReasons: [
    "We encountered an issue with the prompt: it may go against our policies. You have not been charged for this attempt.",
  ],
};

function typed(generateVideoResponse: JsonObject): JsonObject {
  return {
    "@type": "type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse",
    generateVideoResponse,
  };
}

async function makeFile(
  { bytes }: VideoOperation,
  state: SimulatorState,
  files: GoogleFileStore,
): Promise<GoogleFile> {
  const hash = createHash("sha256");
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for (const piece of videoBytes(bytes, 0, bytes - 1)) {
      hash.update(piece);
      yield piece;
    }
  };
  const blob = await state.blobs.save(content());
  const file: GoogleFile = {
    name: `files/${state.ids.next("", undefined, 12).toLowerCase()}`,
    displayName: undefined,
    mimeType: "video/mp4",
    created: state.clock(),
    blob,
    sha256: hash.digest("hex"),
    source: "GENERATED",
  };
  files.add(file);
  return file;
}
