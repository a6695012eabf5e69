import { ApiFailure } from "../../http/api-failure.ts";
import type { Blob } from "../../state/blob-store.ts";

/** A file of the Files API; times in milliseconds. */
export interface GoogleFile {
  /** `files/` and an id. */
  readonly name: string;
  readonly displayName: string | undefined;
  readonly mimeType: string;
  readonly created: number;
  readonly blob: Blob;
  readonly sha256: string;
  readonly source: "UPLOADED" | "GENERATED";
}

const LIFETIME = 48 * 60 * 60 * 1000;

/** The files of one account. */
export class GoogleFileStore {
  #files = new Map<string, GoogleFile>();

  add(file: GoogleFile): void {
    this.#files.set(file.name, file);
  }

  /** Throws as Google does, which hides whether a file exists behind a missing permission. */
  get(name: string): GoogleFile {
    const file = this.#files.get(name);
    if (file !== undefined) return file;
    const id = name.replace(/^files\//, "");
    throw new ApiFailure(403, `You do not have permission to access the File ${id} or it may not exist.`);
  }

  /** All files, newest first. */
  list(): GoogleFile[] {
    return [...this.#files.values()].toReversed();
  }

  delete(name: string): void {
    this.#files.delete(name);
  }

  clear(): void {
    this.#files.clear();
  }
}

/**
 * The `File` resource.
 * @param base address of the API as the caller reached it, for the file's URI
 */
export function fileResource(file: GoogleFile, base: string) {
  const created = new Date(file.created).toISOString();
  return {
    name: file.name,
    ...(file.displayName === undefined ? {} : { displayName: file.displayName }),
    mimeType: file.mimeType,
    sizeBytes: String(file.blob.bytes),
    createTime: created,
    updateTime: created,
    expirationTime: new Date(file.created + LIFETIME).toISOString(),
    sha256Hash: Buffer.from(file.sha256).toString("base64"),
    uri: `${base}/v1beta/${file.name}`,
    ...(file.source === "GENERATED" ? { downloadUri: `${base}/v1beta/${file.name}:download?alt=media` } : {}),
    state: "ACTIVE",
    source: file.source,
  };
}
