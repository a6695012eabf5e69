import type { Blob, BlobStore } from "../../state/blob-store.ts";
import { notFound } from "../failures.ts";

/** A file as OpenAI keeps it. */
export interface StoredFile {
  readonly id: string;
  readonly created: number;
  readonly expires: number | undefined;
  readonly filename: string;
  readonly purpose: string;
  readonly blob: Blob;
}

/** The files of one account. */
export class FileStore {
  #files = new Map<string, StoredFile>();

  add(file: StoredFile): void {
    this.#files.set(file.id, file);
  }

  find(id: string): StoredFile | undefined {
    return this.#files.get(id);
  }

  /** Throws 404 for one that does not exist. */
  get(id: string): StoredFile {
    const file = this.#files.get(id);
    if (file === undefined) throw notFound(`No such File object: ${id}`);
    return file;
  }

  /** All files, oldest first. */
  list(): StoredFile[] {
    return [...this.#files.values()];
  }

  async delete(id: string, blobs: BlobStore): Promise<void> {
    const { blob } = this.get(id);
    this.#files.delete(id);
    await blobs.delete(blob);
  }

  clear(): void {
    this.#files.clear();
  }
}

/** The `file` object. */
export function fileObject(file: StoredFile) {
  return {
    id: file.id,
    object: "file",
    bytes: file.blob.bytes,
    created_at: file.created,
    expires_at: file.expires ?? null,
    filename: file.filename,
    purpose: file.purpose,
    status: "processed",
    status_details: null,
  };
}
