import { hash } from "node:crypto";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { checkJsonLimits } from "../../contract/json-body.ts";
import {
  type Continuation,
  continuationsIn,
  type ReferenceKind,
  referencesIn,
} from "../../core/call/request-references.ts";
import { countMembers, repeatsMembers } from "../../util/repeated-members.ts";
import { type Line, LineSplitter, LineTooLong, linesOf } from "./split-lines.ts";

/** Bytes that one request of a batch may have. */
export const MAX_LINE = 8 * 1024 * 1024;

/** Models of which the first line is remembered; more are counted as valid. */
const MAX_MODELS = 100;

/** Objects that the rows of one input may name. */
const MAX_REFERENCES = 10_000;

/** What is known of a checked batch input file. */
export interface BatchInputSummary {
  readonly rows: number;
  /** The one endpoint that all rows name. */
  readonly url: string;
  /** The models that rows name, with the first line of each. */
  readonly models: readonly { readonly model: string; readonly line: number }[];
}

/** An object that a row names. */
export interface RowReference {
  readonly kind: ReferenceKind | Continuation["kind"];
  readonly id: string;
  /** The first line that names it. */
  readonly line: number;
}

/** One request of a batch. */
export interface BatchRow {
  readonly customId: string;
  readonly url: string;
  readonly body: JsonObject;
}

/** Checks a batch input file (OpenAI API reference: Batch) while it passes. */
export class BatchInputCheck {
  readonly #splitter = new LineSplitter(MAX_LINE);
  readonly #ids = new IdSet();
  readonly #models = new Map<string, number>();
  readonly #references = new Map<string, RowReference>();
  #rows = 0;
  #url: string | undefined;

  /** @throws GatewayError 400 that names the line */
  push(chunk: Buffer): void {
    try {
      for (const line of this.#splitter.push(chunk)) this.#check(line);
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      throw wrongLine(error.line, `is longer than ${MAX_LINE / 2 ** 20} MiB`);
    }
  }

  /** @throws GatewayError 400 that names the line, or says that there is none */
  end(): BatchInputSummary {
    for (const line of this.#splitter.end()) this.#check(line);
    if (this.#url === undefined)
      throw invalidRequest("The file is empty: a batch needs at least one request", "file");
    const models = [...this.#models].map(([model, line]) => ({ model, line }));
    return { rows: this.#rows, url: this.#url, models };
  }

  /** The files, containers, responses, conversations and items that the rows name. */
  get references(): readonly RowReference[] {
    return [...this.#references.values()];
  }

  #check({ bytes, number }: Line): void {
    if (isBlank(bytes)) return;
    const row = readBatchRow(bytes, number);
    if (!this.#ids.add(row.customId))
      throw wrongLine(number, `repeats the custom_id '${shortened(row.customId)}' of an earlier line`);
    this.#url ??= row.url;
    if (row.url !== this.#url)
      throw wrongLine(number, `has the url '${shortened(row.url)}', earlier ones have '${this.#url}'`);
    if (mayRefer(bytes)) this.#note(referencesIn(row.body), number);
    this.#note(continuationsIn(row.body), number);
    const { model } = row.body;
    if (typeof model === "string" && !this.#models.has(model) && this.#models.size < MAX_MODELS)
      this.#models.set(model, number);
    this.#rows += 1;
  }

  #note(references: readonly Omit<RowReference, "line">[], line: number): void {
    for (const { kind, id } of references) {
      const name = `${kind} ${id}`;
      if (this.#references.has(name)) continue;
      this.#references.set(name, { kind, id, line });
      if (this.#references.size > MAX_REFERENCES)
        throw wrongLine(
          line,
          `is past ${MAX_REFERENCES} different files, containers and items that rows name`,
        );
    }
  }
}

/** Whether a line holds nothing but white space. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.length < 256 && bytes.toString("latin1").trim() === "";
}

/**
 * The rows of a batch input file; blank lines are passed over.
 * @throws GatewayError 400 that names the line
 */
export async function* batchRows(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly row: BatchRow; readonly line: Line }> {
  for await (const line of linesOf(source, MAX_LINE))
    if (!isBlank(line.bytes)) yield { row: readBatchRow(line.bytes, line.number), line };
}

/**
 * A line of a batch input file: `{custom_id, method, url, body}`.
 * @throws GatewayError 400 that names the line
 */
export function readBatchRow(bytes: Buffer, line: number): BatchRow {
  const { value, text } = parse(bytes, line);
  const { custom_id, method, url, body } = value;
  if (typeof custom_id !== "string" || custom_id === "") throw wrongLine(line, "has no custom_id");
  if (custom_id.length > 512) throw wrongLine(line, "has a custom_id of more than 512 characters");
  if (method !== undefined && method !== "POST") throw wrongLine(line, "must have the method POST");
  if (typeof url !== "string" || !url.startsWith("/")) throw wrongLine(line, "has no url");
  if (!isJsonObject(body)) throw wrongLine(line, "has no body");
  if (isAsked(body.stream)) throw wrongLine(line, "asks for a stream, which a batch cannot give");
  if (isAsked(body.background))
    throw wrongLine(line, "asks to run in the background, where its end would come after the batch's");
  if (body.model !== undefined && typeof body.model !== "string")
    throw wrongLine(line, "has a model that is not a string");
  requireOneReading({ bytes, text, value }, line);
  return { customId: custom_id, url, body };
}

/** Whether a switch is not off; some providers take a text for `true`. */
function isAsked(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** Within a string quotes are escaped, so these are names of members, or values that nothing follows. */
const marks = ["file_id", "container", "vector_store_id", "skill_id"].map((name) => Buffer.from(`"${name}`));
const escapeMark = Buffer.from("\\u00");
/** Letters, digits and the underscore as escapes, in which no writer of JSON puts them without a purpose. */
const escapedNames = ["3", "4", "5", "6", "7"].map((digit) => Buffer.from(`\\u00${digit}`));

/** Whether a row may name files or containers, by a look at its bytes. */
function mayRefer(raw: Buffer): boolean {
  const hasEscapedNames = () => raw.includes(escapeMark) && escapedNames.some((mark) => raw.includes(mark));
  return marks.some((mark) => raw.includes(mark)) || hasEscapedNames();
}

const checkedName = /"(?:url|custom_id|body|file_ids?|container(?:_id)?)"\s*:/gi;

/**
 * Refuses a line in which a name stands twice, or one that is checked here with escapes: its provider gets the line as
 * it is, and may read the other one.
 */
function requireOneReading({ bytes, text, value }: ParsedLine & { bytes: Buffer }, line: number): void {
  if (repeatsMembers(text, countMembers(value))) throw wrongLine(line, "has a name twice in one object");
  if (!mayRefer(bytes)) return;
  const count = (text: string): number => text.match(checkedName)?.length ?? 0;
  if (count(bytes.toString("latin1")) !== count(JSON.stringify(value)))
    throw wrongLine(line, "names a file or container with escapes");
}

interface ParsedLine {
  readonly value: JsonObject;
  /** What the value was read from. */
  readonly text: string;
}

function parse(bytes: Buffer, line: number): ParsedLine {
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    checkJsonLimits(bytes, text);
    value = JSON.parse(text);
  } catch (error) {
    throw wrongLine(line, error instanceof GatewayError ? "has too many values" : "is not valid JSON");
  }
  if (!isJsonObject(value)) throw wrongLine(line, "is not a JSON object");
  return { value, text };
}

/** The refusal of a batch input file because of one of its lines. */
function wrongLine(line: number, problem: string): GatewayError {
  return invalidRequest(`Invalid batch input: line ${line} ${problem}`, "file");
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/**
 * A set that remembers 64 bits of each text's SHA-1 in 16 to 32 bytes, so that a million identifiers fit where the
 * texts themselves would not. Two different texts among a million are taken for equal once in 10^7 files.
 */
class IdSet {
  #slots = new BigUint64Array(1024);
  #size = 0;

  /** @returns whether the text is new */
  add(text: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const added = insert(this.#slots, fingerprint(text));
    if (added) this.#size += 1;
    return added;
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2);
    for (const slot of this.#slots) if (slot !== 0n) insert(larger, slot);
    this.#slots = larger;
  }
}

/** Open addressing; zero marks a free slot. */
function insert(slots: BigUint64Array, value: bigint): boolean {
  const mask = slots.length - 1;
  for (let index = Number(value & BigInt(mask)); ; index = (index + 1) & mask) {
    const slot = slots[index]!;
    if (slot === value) return false;
    if (slot !== 0n) continue;
    slots[index] = value;
    return true;
  }
}

function fingerprint(text: string): bigint {
  const value = hash("sha1", text, "buffer").readBigUInt64LE(0);
  return value === 0n ? 1n : value;
}
