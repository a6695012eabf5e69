import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { ByteRoom } from "../platform/transport/byte-room.ts";
import { downloadMedia, filesTooLarge, type MediaDownloads } from "../platform/transport/download-media.ts";

/** Addresses that a provider fetches itself, by media type; `*` and `image/*` stand for any (`LanguageModelV3`). */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

type ContentPart = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>["value"][number];

/**
 * The call with every picture and file that the provider would not fetch itself downloaded and put in its place.
 * @throws GatewayError 400 for an address that is not public, does not answer or holds something else, 413
 */
export async function inlineMedia(
  options: LanguageModelV3CallOptions,
  supported: SupportedUrls,
  downloads: () => MediaDownloads,
): Promise<LanguageModelV3CallOptions> {
  if (!options.prompt.some(mayNameMedia)) return options;
  const inliner = new Inliner(supported, downloads());
  return { ...options, prompt: await Promise.all(options.prompt.map((message) => inliner.message(message))) };
}

/** Whether a chat completion names a picture by its address. */
export function namesPictures({ messages }: JsonObject): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.some(
    (message) =>
      isJsonObject(message) && Array.isArray(message.content) && message.content.some(namesPicture),
  );
}

function namesPicture(part: unknown): boolean {
  if (!isJsonObject(part) || part.type !== "image_url") return false;
  const url = isJsonObject(part.image_url) ? part.image_url.url : part.image_url;
  return typeof url === "string" && /^https?:/i.test(url);
}

function mayNameMedia({ role, content }: LanguageModelV3Message): boolean {
  if (role === "system") return false;
  return content.some(
    (part) =>
      (part.type === "file" && part.data instanceof URL) ||
      (part.type === "tool-result" && part.output.type === "content"),
  );
}

class Inliner {
  readonly #supported: SupportedUrls;
  readonly #downloads: MediaDownloads;
  /** Each mention of a file takes its own. */
  readonly #room: ByteRoom;

  constructor(supported: SupportedUrls, downloads: MediaDownloads) {
    this.#supported = supported;
    this.#downloads = downloads;
    this.#room = new ByteRoom(downloads.room.limit, filesTooLarge);
  }

  async message(message: LanguageModelV3Message): Promise<LanguageModelV3Message> {
    if (!mayNameMedia(message)) return message;
    switch (message.role) {
      case "user":
        return { ...message, content: await Promise.all(message.content.map((part) => this.#part(part))) };
      case "assistant":
        return { ...message, content: await Promise.all(message.content.map((part) => this.#part(part))) };
      case "tool":
        return { ...message, content: await Promise.all(message.content.map((part) => this.#part(part))) };
      default:
        return message;
    }
  }

  async #part<Part extends { type: string }>(part: Part): Promise<Part> {
    if (part.type === "file") return (await this.#file(part as never)) as unknown as Part;
    if (part.type === "tool-result") return (await this.#toolResult(part as never)) as unknown as Part;
    return part;
  }

  async #file(part: LanguageModelV3FilePart): Promise<LanguageModelV3FilePart> {
    if (!(part.data instanceof URL) || this.#takes(part.data, part.mediaType)) return part;
    return { ...part, ...(await downloadMedia(this.#downloads, this.#room, part.data, part.mediaType)) };
  }

  async #toolResult(part: LanguageModelV3ToolResultPart): Promise<LanguageModelV3ToolResultPart> {
    const { output } = part;
    if (output.type !== "content") return part;
    const value = await Promise.all(output.value.map((item) => this.#resultItem(item)));
    return { ...part, output: { ...output, value } };
  }

  async #resultItem(item: ContentPart): Promise<ContentPart> {
    if (item.type !== "image-url" && item.type !== "file-url") return item;
    const type = item.type === "image-url" ? ("image-data" as const) : ("file-data" as const);
    const expected = item.type === "image-url" ? "image/*" : (item.mediaType ?? "application/pdf");
    const url = new URL(item.url);
    if (this.#takes(url, expected)) return item;
    return { type, ...(await downloadMedia(this.#downloads, this.#room, url, expected)) };
  }

  #takes(url: URL, mediaType: string): boolean {
    return Object.entries(this.#supported).some(
      ([pattern, addresses]) =>
        fitsType(pattern, mediaType) && addresses.some((address) => address.test(url.href)),
    );
  }
}

function fitsType(pattern: string, mediaType: string): boolean {
  if (pattern === "*" || pattern === "*/*" || pattern === mediaType) return true;
  return pattern.endsWith("/*") && mediaType.startsWith(pattern.slice(0, -1));
}
