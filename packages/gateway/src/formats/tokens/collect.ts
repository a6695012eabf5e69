import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import { imageSize } from "./image-tokens.ts";
import type { CountingRules } from "./model-family.ts";

const TYPE_MEMBER = Buffer.from("/Type");
const PAGE_OBJECT = /^\s*\/Page\b/;
/** Bytes behind the member's name that are looked at, white space included. */
const PAGE_MEMBER_LENGTH = 16;
/** Objects of a PDF that are looked at; no model takes one of so many pages. */
const MAX_PDF_OBJECTS = 100_000;

/** The texts of a request, and the tokens of its pictures, documents and overhead. */
export class Collected {
  readonly texts: string[] = [];
  tokens = 0;
  readonly #rules: CountingRules;

  constructor(rules: CountingRules) {
    this.#rules = rules;
  }

  text(value: unknown): void {
    if (typeof value === "string" && value !== "") this.texts.push(value);
  }

  json(value: unknown): void {
    if (value !== undefined && value !== null) this.texts.push(JSON.stringify(value));
  }

  add(tokens: number): void {
    this.tokens += tokens;
  }

  /** A content member of any dialect: text, or a list of blocks. */
  content(value: unknown): void {
    if (!Array.isArray(value)) {
      this.text(value);
      return;
    }
    for (const block of value) {
      if (typeof block === "string") this.text(block);
      else if (isJsonObject(block)) this.#block(block);
    }
  }

  /** A content of Google's, with its parts. */
  googleContent(value: unknown): void {
    const { parts } = objectOf(value);
    if (!Array.isArray(parts)) return;
    for (const part of parts) if (isJsonObject(part)) this.#googlePart(part);
  }

  #googlePart(part: JsonObject): void {
    const file = objectOf(part.inlineData ?? part.fileData);
    if (file.mimeType === "application/pdf") this.#pages(file.data);
    else if (typeof file.mimeType === "string") this.#picture(file.data, undefined);
    this.text(part.text);
    this.json(part.functionCall);
    this.json(part.functionResponse);
    this.json(part.executableCode);
    this.json(part.codeExecutionResult);
  }

  #block(block: JsonObject): void {
    switch (block.type) {
      case "image":
        this.#picture(isJsonObject(block.source) ? block.source.data : undefined, undefined);
        return;
      case "image_url":
      case "input_image":
        this.#pictureAt(block.image_url, block.detail);
        return;
      case "document":
        this.#document(objectOf(block.source));
        return;
      case "file":
      case "input_file":
        this.#pages(isJsonObject(block.file) ? block.file.file_data : block.file_data);
        return;
      case "tool_use":
        this.text(block.name);
        this.json(block.input);
        return;
      case "thinking":
        this.text(block.thinking);
        return;
      default:
        this.text(block.text);
        this.text(block.title);
        this.content(block.content);
    }
  }

  #pictureAt(value: unknown, outerDetail: unknown): void {
    const url = isJsonObject(value) ? value.url : value;
    const detail = isJsonObject(value) ? value.detail : outerDetail;
    const data =
      typeof url === "string" && url.startsWith("data:") ? url.slice(url.indexOf(",") + 1) : undefined;
    this.#picture(data, detail);
  }

  #picture(data: unknown, detail: unknown): void {
    const size = typeof data === "string" ? imageSize(data) : undefined;
    this.add(this.#rules.image(size, detail));
  }

  #document(source: JsonObject): void {
    if (source.type === "text") this.text(source.data);
    else if (source.type === "content") this.content(source.content);
    else this.#pages(source.data);
  }

  #pages(data: unknown): void {
    this.add(this.#rules.perPage * (typeof data === "string" ? pageCount(data) : 1));
  }
}

/** Pages of a PDF, by its page objects; one for what does not show them. */
function pageCount(base64: string): number {
  const bytes = Buffer.from(base64.slice(base64.indexOf(",") + 1), "base64");
  let pages = 0;
  let seen = 0;
  for (let at = bytes.indexOf(TYPE_MEMBER); at !== -1 && seen < MAX_PDF_OBJECTS; seen++) {
    const value = at + TYPE_MEMBER.length;
    if (PAGE_OBJECT.test(bytes.toString("latin1", value, value + PAGE_MEMBER_LENGTH))) pages++;
    at = bytes.indexOf(TYPE_MEMBER, value);
  }
  return Math.max(1, pages);
}
