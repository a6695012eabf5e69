import type { MemoryKeeper } from "../../util/memory-keeper.ts";
import type { FileStorage, FileWriter } from "./file-storage.ts";

/** A storage whose readers and writers do not fill the memory with what has already passed. */
export function flatStorage(storage: FileStorage, memory: MemoryKeeper): FileStorage {
  return {
    create: async (key, note) => flatWriter(await storage.create(key, note), memory),
    delete: (key, uploadId) => storage.delete(key, uploadId),
    removeLeftovers: async (before) => storage.removeLeftovers?.(before),
    async *read(key, from, length) {
      for await (const chunk of storage.read(key, from, length)) {
        memory.passed(chunk.length);
        yield chunk;
      }
    },
  };
}

function flatWriter(writer: FileWriter, memory: MemoryKeeper): FileWriter {
  return {
    write: async (chunk) => {
      await writer.write(chunk);
      memory.passed(chunk.length);
    },
    commit: () => writer.commit(),
    abort: () => writer.abort(),
  };
}
