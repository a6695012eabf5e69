import type { MemoryKeeper } from "../util/memory-keeper.ts";
import type { FileStorage } from "./file-storage.ts";

/** A storage whose readers do not fill the memory with what they have already read. */
export function flatStorage(storage: FileStorage, memory: MemoryKeeper): FileStorage {
  return {
    create: (key) => storage.create(key),
    delete: (key) => storage.delete(key),
    async *read(key, from, length) {
      for await (const chunk of storage.read(key, from, length)) {
        memory.passed(chunk.length);
        yield chunk;
      }
    },
  };
}
