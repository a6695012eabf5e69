import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import S3rver from "s3rver";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DatabaseStorage } from "../src/features/files/database-storage.ts";
import { type FileStorage, readPart } from "../src/features/files/file-storage.ts";
import { LocalStorage } from "../src/features/files/local-storage.ts";
import { S3Storage } from "../src/features/files/s3-storage.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-storage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What every storage does alike. */
function behavesAsStorage(open: () => Promise<FileStorage>): void {
  const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));

  async function write(storage: FileStorage, key: string, bytes: Buffer, piece = 65_537): Promise<number> {
    const writer = await storage.create(key);
    for (let from = 0; from < bytes.length; from += piece)
      await writer.write(bytes.subarray(from, from + piece));
    return writer.commit();
  }

  async function readAll(storage: FileStorage, key: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of storage.read(key)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it("gives back what was written, whole and in parts", async () => {
    const storage = await open();
    expect(await write(storage, "whole", content)).toBe(content.length);
    expect((await readAll(storage, "whole")).equals(content)).toBe(true);
    for (const [from, length] of [
      [0, 10],
      [262_140, 20],
      [699_990, 10],
      [5, 0],
      [100_000, 500_000],
    ] as const)
      expect(
        (await readPart(storage, "whole", from, length)).equals(content.subarray(from, from + length)),
      ).toBe(true);
  });

  it("replaces and deletes", async () => {
    const storage = await open();
    await write(storage, "again", content);
    await write(storage, "again", Buffer.from("short"));
    expect((await readAll(storage, "again")).toString()).toBe("short");
    await storage.delete("again");
    await storage.delete("again");
    const gone = await readAll(storage, "again").catch(() => Buffer.alloc(0));
    expect(gone).toHaveLength(0);
  });

  it("keeps nothing of a file that was given up", async () => {
    const storage = await open();
    const writer = await storage.create("given-up");
    await writer.write(content);
    await writer.abort();
    const gone = await readAll(storage, "given-up").catch(() => Buffer.alloc(0));
    expect(gone).toHaveLength(0);
  });
}

describe("Files in a folder", () => {
  behavesAsStorage(async () => new LocalStorage(join(folder, "local")));

  it("loses what a killed writer left behind, once nobody can be writing it", async () => {
    const path = join(folder, "left");
    const storage = new LocalStorage(path);
    const whole = await storage.create("whole");
    await whole.write(Buffer.from("whole"));
    await whole.commit();
    const left = await storage.create("left");
    await left.write(Buffer.from("left"));
    const names = (): string[] =>
      readdirSync(path, { recursive: true }).map((name) => basename(String(name)));
    const started = Date.now();
    await storage.removeLeftovers(started - 60_000);
    expect(names().filter((name) => name.endsWith(".part"))).toHaveLength(1);
    await storage.removeLeftovers(started + 60_000);
    expect(names().filter((name) => name.endsWith(".part"))).toHaveLength(0);
    expect(names()).toContain("whole");
    await left.abort();
  });
});

describeOnEachStore("Files in the database", (opener) => {
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });
  behavesAsStorage(async () => {
    const store = await opener.open();
    stores.push(store);
    return new DatabaseStorage(store);
  });
});

describe("Files in S3-compatible object storage", () => {
  let server: S3rver;
  let endpoint = "";
  beforeAll(async () => {
    server = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: join(folder, "s3"),
      configureBuckets: [{ name: "portico", configs: [] }],
    });
    const { port } = await server.run();
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.close());

  function open(bucket = "portico"): S3Storage {
    const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
    return new S3Storage({ endpoint, bucket, region: "us-east-1", prefix: "files/", ...keys });
  }

  behavesAsStorage(async () => open());

  it("sends large files in parts", async () => {
    const storage = open();
    const part = Buffer.alloc(5 * 2 ** 20, "x");
    const writer = await storage.create("large");
    for (let index = 0; index < 4; index += 1) await writer.write(part);
    expect(await writer.commit()).toBe(20 * 2 ** 20);
    let bytes = 0;
    for await (const chunk of storage.read("large")) bytes += chunk.length;
    expect(bytes).toBe(20 * 2 ** 20);
    expect((await readPart(storage, "large", 10 * 2 ** 20 - 1, 2)).toString()).toBe("xx");
  });

  it("says what went wrong", async () => {
    const storage = open("nobody");
    const writer = await storage.create("refused");
    await writer.write(Buffer.from("x"));
    await expect(writer.commit()).rejects.toThrow(/PUT with status 404/);
  });
});
