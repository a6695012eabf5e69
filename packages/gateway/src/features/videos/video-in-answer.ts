import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";

/** Takes the bytes of a video, piece by piece; resolves when more may come. */
export type VideoSink = (piece: Buffer) => Promise<void>;

/** Bytes that the video may have, and the rest of the answer. */
const MAX_VIDEO = 1024 * 1024 * 1024;
const MAX_BESIDE = 1024 * 1024;
/** Characters that a member's name may take with the space around its colon. */
const MAX_NAME = 256;
const QUOTE = 0x22;

/**
 * Reads a JSON answer that has a video in base64 in it, without ever holding the video.
 * @param member name of the member that has it
 * @param sink gets the first video's bytes; without it they are passed over
 * @returns the answer with an empty text for each video
 * @throws GatewayError 502 for an answer that is no JSON object, or too large
 */
export async function readVideoAnswer(
  body: AsyncIterable<Buffer>,
  member: string,
  sink: VideoSink | undefined,
): Promise<JsonObject> {
  const start = new RegExp(`"${member}"\\s*:\\s*"`, "g");
  let beside = "";
  let searched = 0;
  let video: Base64Decoder | undefined;
  let target = sink;
  for await (const chunk of body) {
    let pending = chunk;
    while (pending.length > 0) {
      if (video !== undefined) {
        const end = pending.indexOf(QUOTE);
        await video.push(pending.subarray(0, end === -1 ? pending.length : end));
        if (end === -1) break;
        await video.end();
        [video, target] = [undefined, undefined];
        pending = pending.subarray(end);
      }
      beside += pending.toString("latin1");
      start.lastIndex = searched;
      const found = start.exec(beside);
      const behind = found === null ? beside.length : found.index + found[0].length;
      if (behind > MAX_BESIDE) throw tooLarge("answer", MAX_BESIDE);
      searched = found === null ? Math.max(searched, behind - MAX_NAME) : behind;
      if (found === null) break;
      pending = Buffer.from(beside.slice(behind), "latin1");
      beside = beside.slice(0, behind);
      video = new Base64Decoder(target);
    }
  }
  try {
    return readJsonObject(Buffer.from(beside, "latin1"));
  } catch (cause) {
    throw new GatewayError(502, "api_error", "The provider's answer is not JSON", { cause });
  }
}

/** Decodes the inside of a JSON string in base64 as it arrives. */
class Base64Decoder {
  readonly #sink: VideoSink | undefined;
  #rest = "";
  #bytes = 0;

  constructor(sink: VideoSink | undefined) {
    this.#sink = sink;
  }

  async push(piece: Buffer): Promise<void> {
    if (this.#sink === undefined) return;
    const text = this.#rest + piece.toString("latin1");
    const whole = text.length - (/\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text)?.[0].length ?? 0);
    const digits = unescaped(text.slice(0, whole));
    const usable = digits.length - (digits.length % 4);
    this.#rest = digits.slice(usable) + text.slice(whole);
    await this.#decode(digits.slice(0, usable));
  }

  end(): Promise<void> {
    return this.#decode(this.#rest);
  }

  async #decode(digits: string): Promise<void> {
    if (digits === "") return;
    const piece = Buffer.from(digits, "base64");
    this.#bytes += piece.length;
    if (this.#bytes > MAX_VIDEO) throw tooLarge("video", MAX_VIDEO);
    await this.#sink?.(piece);
  }
}

/** JSON may write a slash or an equals sign as an escape. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\\", "");
}

function tooLarge(what: string, most: number): GatewayError {
  return new GatewayError(502, "api_error", `The provider's ${what} is larger than ${most / 2 ** 20} MiB`);
}
