import { ApiFailure } from "./api-failure.ts";

const MAX_HEADER = 16 * 1024;

/** One part of a multipart body. Its bytes must be read before the next part is asked for. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The parts of a `multipart/form-data` body (RFC 7578), read as they arrive. Throws 400 for a broken body. */
export async function* formParts(
  source: AsyncIterable<Buffer>,
  contentType: string,
): AsyncGenerator<FormPart> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined)
    throw new ApiFailure(400, "Content-Type must be multipart/form-data with a boundary.");
  const reader = new PartReader(source, mark);
  await drain(reader.until(reader.delimiter));
  while (await reader.another()) {
    const header = (await gather(reader.until(Buffer.from("\r\n\r\n")), MAX_HEADER)).toString("utf8");
    const bytes = reader.until(reader.delimiter);
    yield { ...readHeader(header), bytes };
    await drain(bytes);
  }
}

/** All bytes of a part as text. Throws 413 above the limit. */
export async function partText(part: FormPart, limit = 1024 * 1024): Promise<string> {
  return (await gather(part.bytes, limit)).toString("utf8");
}

class PartReader {
  readonly delimiter: Buffer;
  readonly #source: AsyncIterator<Buffer>;
  // The first boundary has no line end before it, so one is put there.
  #buffer: Buffer = Buffer.from("\r\n");

  constructor(source: AsyncIterable<Buffer>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** The bytes up to a mark, which is skipped. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at >= 0) {
        const found = this.#buffer.subarray(0, at);
        this.#buffer = this.#buffer.subarray(at + mark.length);
        if (found.length > 0) yield found;
        return;
      }
      const sure = this.#buffer.length - mark.length + 1;
      if (sure > 0) {
        const found = this.#buffer.subarray(0, sure);
        this.#buffer = this.#buffer.subarray(sure);
        yield found;
      }
      await this.#pull();
    }
  }

  /** After a delimiter: whether another part follows. */
  async another(): Promise<boolean> {
    while (this.#buffer.length < 2) await this.#pull();
    if (this.#buffer.subarray(0, 2).toString("latin1") === "--") return false;
    await drain(this.until(Buffer.from("\r\n")));
    return true;
  }

  async #pull(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw new ApiFailure(400, "The multipart body ends before its last boundary.");
    this.#buffer = this.#buffer.length === 0 ? next.value : Buffer.concat([this.#buffer, next.value]);
  }
}

function readHeader(header: string): Omit<FormPart, "bytes"> {
  const disposition = /^content-disposition:(.*)$/im.exec(header)?.[1] ?? "";
  return {
    name: /[;\s]name="([^"]*)"/i.exec(disposition)?.[1] ?? "",
    filename: /[;\s]filename="([^"]*)"/i.exec(disposition)?.[1],
    contentType: /^content-type:\s*(.+)$/im.exec(header)?.[1]?.trim(),
  };
}

async function gather(source: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > limit) throw new ApiFailure(413, "A part of the multipart body is too large.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function drain(source: AsyncIterable<Buffer>): Promise<void> {
  for await (const _piece of source);
}
