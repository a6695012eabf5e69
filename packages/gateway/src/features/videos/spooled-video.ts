import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { GatewayError } from "../../contract/errors.ts";
import { temporaryPath } from "../../platform/store/temporary.ts";
import { contentHead } from "./content-head.ts";
import type { VideoSink } from "./video-in-answer.ts";
import type { VideoBytes } from "./video-source.ts";

/**
 * A video that comes whole, on its way through a temporary file, as a provider with ranges and versions would send it.
 * @param fill writes the video
 * @param wanted the caller's conditions and range
 * @throws GatewayError 416, 502 where there is no video, and what `fill` throws; nothing is left then
 */
export async function spooledVideo(
  fill: (sink: VideoSink) => Promise<unknown>,
  wanted: Readonly<Record<string, string>>,
): Promise<VideoBytes> {
  const path = temporaryPath();
  const file = await open(path, "wx+", 0o600);
  const remove = async (): Promise<void> => {
    await file.close();
    await rm(path, { force: true });
  };
  try {
    const hash = createHash("sha256");
    let size = 0;
    await fill(async (piece) => {
      hash.update(piece);
      size += piece.length;
      await file.appendFile(piece);
    });
    if (size === 0) throw new GatewayError(502, "api_error", "The provider's answer has no video in it");
    const etag = `"${hash.digest("hex").slice(0, 32)}"`;
    const { status, headers, from, length } = contentHead(size, etag, wanted);
    return { status, headers, body: part(file, from, length, remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A part of the file, which is removed behind it. */
function part(
  file: FileHandle,
  from: number,
  length: number,
  remove: () => Promise<void>,
): VideoBytes["body"] {
  let isRemoved = false;
  const removeOnce = async (): Promise<void> => {
    if (isRemoved) return;
    isRemoved = true;
    await remove();
  };
  return {
    cancel: () => void removeOnce().catch(() => undefined),
    async *[Symbol.asyncIterator]() {
      try {
        if (length === 0) return;
        const end = from + length - 1;
        yield* file.createReadStream({ start: from, end, autoClose: false }) as AsyncIterable<Buffer>;
      } finally {
        await removeOnce();
      }
    },
  };
}
