/** A feature that reads stored files on its own time: they must not be deleted before it has. */
export interface FileReader {
  /** Whether it still reads the file with this id. */
  isReading(fileId: string): Promise<boolean>;
  /** Whether one of its records names this key of the storage. */
  names(key: string): Promise<boolean>;
}

/** Everybody who reads stored files. */
export class FileReaders {
  readonly #readers: FileReader[] = [];

  add(reader: FileReader): void {
    this.#readers.push(reader);
  }

  async isReading(fileId: string): Promise<boolean> {
    for (const reader of this.#readers) if (await reader.isReading(fileId)) return true;
    return false;
  }

  async name(key: string): Promise<boolean> {
    for (const reader of this.#readers) if (await reader.names(key)) return true;
    return false;
  }
}
