import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Reply } from "../../contract/exchange.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * Files that pages load, each read once and kept compressed. A build puts them, compressed, into a folder beside the
 * bundle; where the sources run they are read where they come from.
 */
export class PackedFiles {
  readonly #folder: string;
  readonly #originalOf: (name: string) => string;
  readonly #files = new Map<string, Promise<Buffer>>();

  /**
   * @param folder its name, beside the bundle
   * @param originalOf where the file of a name lies while there is no bundle
   */
  constructor(folder: string, originalOf: (name: string) => string) {
    this.#folder = folder;
    this.#originalOf = originalOf;
  }

  /** A file as it is. Rejects where there is none. */
  async read(name: string): Promise<Buffer> {
    return unpack(await this.#packed(name));
  }

  /**
   * A file as an answer, compressed for those who take that. Rejects where there is none.
   * @param headers of the request
   * @param answered headers of the answer
   */
  async reply(
    name: string,
    headers: IncomingHttpHeaders,
    answered: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const bytes = await this.#packed(name);
    if (!/\bgzip\b/.test(String(headers["accept-encoding"] ?? "")))
      return { status: 200, headers: answered, body: await unpack(bytes) };
    return { status: 200, headers: { ...answered, "content-encoding": "gzip" }, body: bytes };
  }

  #packed(name: string): Promise<Buffer> {
    const loading = this.#files.get(name) ?? this.#load(name);
    // One that cannot be read now may be there later.
    loading.catch(() => this.#files.delete(name));
    this.#files.set(name, loading);
    return loading;
  }

  async #load(name: string): Promise<Buffer> {
    try {
      return await readFile(new URL(`./${this.#folder}/${name}.gz`, import.meta.url));
    } catch {
      return pack(await readFile(this.#originalOf(name)));
    }
  }
}
