import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProcessLock } from "../../../platform/store/process-lock.ts";
import { Ingest, type Report } from "./ingest.ts";
import { segmentsIn } from "./journal-files.ts";
import { NoSpendRow, valuesOfText } from "./journaled-row.ts";
import { SegmentWriter } from "./segment-writer.ts";
import type { SpendSink } from "./spend-sink.ts";

/** Keeps what it is given, and may fail like a database. */
class TestSink implements SpendSink {
  texts: string[] = [];
  failure: ((texts: readonly string[]) => unknown) | undefined;

  async write(texts: readonly string[]): Promise<void> {
    const failure = this.failure?.(texts);
    if (failure !== undefined) throw failure;
    this.texts.push(...texts);
  }

  isRefusal(error: unknown): boolean {
    return error instanceof RangeError;
  }

  async close(): Promise<void> {}
}

describe("The spend journal", () => {
  let root = "";
  let sink: TestSink;
  let changes: unknown[];
  let reports: { level: string; message: string }[];
  const report: Report = (level, _fields, message) => void reports.push({ level, message });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "portico-journal-"));
    sink = new TestSink();
    changes = [];
    reports = [];
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(root, { recursive: true, force: true });
  });

  function writer(write?: typeof writeSync, maxBytes = 2 ** 30): SegmentWriter {
    const onChange = (failure: unknown): void => void changes.push((failure as Error | undefined)?.message);
    const config = { current: { generalSettings: { spendJournalMaxMb: maxBytes / 2 ** 20 } } };
    return new SegmentWriter({ root, config, onChange, ...(write && { write }) });
  }

  /** The folder as a killed process leaves it. */
  async function kill(journal: SegmentWriter): Promise<string> {
    await journal.close();
    const { folder } = journal;
    const segments = segmentsIn(folder!).map((path) => [path, readFileSync(path)] as const);
    for (const [path] of segments) rmSync(path);
    journal.release();
    mkdirSync(folder!);
    for (const [path, bytes] of segments) writeFileSync(path, bytes);
    return folder!;
  }

  async function segmentOf(texts: readonly string[]): Promise<Buffer> {
    const journal = writer();
    expect(journal.append(texts)).toBe(texts.length);
    const folder = await kill(journal);
    const [segment] = segmentsIn(folder);
    const bytes = readFileSync(segment!);
    rmSync(folder, { recursive: true });
    return bytes;
  }

  function abandon(bytes: Buffer): string {
    const folder = join(root, "dead");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "v1-00000001.journal"), bytes);
    return folder;
  }

  it("gives every whole record back, wherever a crash cut it", async () => {
    const texts = ["one", "two €", "", "x".repeat(300), "last"].map((text) => JSON.stringify([text]));
    const bytes = await segmentOf(texts);
    const ends: number[] = [];
    for (const text of texts) ends.push((ends.at(-1) ?? 0) + 12 + Buffer.byteLength(text));
    expect(ends.at(-1)).toBe(bytes.length);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      sink = new TestSink();
      reports = [];
      const folder = abandon(bytes.subarray(0, cut));
      await new Ingest(root, sink, report).abandoned(undefined);
      const whole = ends.filter((end) => end <= cut).length;
      expect(sink.texts).toEqual(texts.slice(0, whole));
      expect(existsSync(folder)).toBe(false);
      const told = reports.some(({ message }) => message.includes("was cut"));
      expect(told).toBe(cut !== 0 && !ends.includes(cut));
    }
  });

  it("never gives back what was not written, and keeps the file, when a byte is damaged", async () => {
    const texts = Array.from({ length: 12 }, (_, index) => JSON.stringify([index, "text"]));
    const bytes = await segmentOf(texts);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        sink = new TestSink();
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= flip;
        const folder = abandon(damaged);
        await new Ingest(root, sink, report).abandoned(undefined);
        const record = Math.floor((at / bytes.length) * texts.length);
        expect(sink.texts).toEqual(texts.slice(0, sink.texts.length));
        expect(sink.texts.length).toBeGreaterThanOrEqual(record - 1);
        expect(sink.texts.length).toBeLessThan(texts.length);
        expect(readdirSync(folder)).toContain("v1-00000001.journal.damaged");
        rmSync(folder, { recursive: true, force: true });
      }),
    );
    const folder = abandon(Buffer.concat([bytes, Buffer.alloc(4096)]));
    await new Ingest(root, sink, report).abandoned(undefined);
    expect(readdirSync(folder).filter((name) => name.endsWith(".damaged"))).toHaveLength(1);
    expect(reports.at(-2)).toMatchObject({ level: "error", message: expect.stringContaining("damaged") });
  });

  it("is read while it is written, over many segments, each record once, and leaves no file", async () => {
    const journal = writer();
    const ingest = new Ingest(root, sink, report);
    const texts = Array.from({ length: 40 }, (_, index) => JSON.stringify([index, "x".repeat(60_000)]));
    // Segments of 4 MiB: more than one by the end.
    for (let round = 0; round < 5; round += 1) {
      expect(journal.append(texts)).toBe(texts.length);
      await ingest.own(journal.folder!, false);
      expect(sink.texts).toHaveLength((round + 1) * texts.length);
    }
    expect(basename(segmentsIn(journal.folder!)[0]!)).not.toBe("v1-00000001.journal");
    expect(sink.texts).toEqual(Array(5).fill(texts).flat());
    await journal.close();
    await ingest.own(journal.folder!, true);
    journal.release();
    expect(readdirSync(root)).toEqual([]);
  });

  it("is left alone while its process lives, and taken over when that has ended", async () => {
    const alive = writer();
    alive.append(["[1]"]);
    const ingest = new Ingest(root, sink, report);
    await ingest.abandoned(undefined);
    expect(sink.texts).toEqual([]);
    const folder = await kill(alive);
    const held = ProcessLock.take(folder)!;
    await ingest.abandoned(undefined);
    expect(sink.texts).toEqual([]);
    held.release();
    await ingest.abandoned(undefined);
    expect(sink.texts).toEqual(["[1]"]);
    expect(existsSync(folder)).toBe(false);
  });

  it("is no matter any more where another process has brought everything in at the same moment", async () => {
    const journal = writer();
    journal.append(["[1]"]);
    const folder = await kill(journal);
    const take = ProcessLock.take.bind(ProcessLock);
    vi.spyOn(ProcessLock, "take").mockImplementationOnce((...given) => {
      rmSync(folder, { recursive: true });
      return take(...given);
    });
    await new Ingest(root, sink, report).abandoned(undefined);
    expect(sink.texts).toEqual([]);
    expect(reports).toEqual([]);
  });

  it("stays until the database has the rows", async () => {
    const journal = writer();
    journal.append(["[1]"]);
    await kill(journal);
    sink.failure = () => new Error("away");
    const ingest = new Ingest(root, sink, report);
    await expect(ingest.abandoned(undefined)).rejects.toThrow("away");
    sink.failure = undefined;
    await ingest.abandoned(undefined);
    expect(sink.texts).toEqual(["[1]"]);
  });

  it.each<[string, (folder: string) => void]>([
    ["a folder in place of the lock", (folder) => mkdirSync(join(folder, "lock"))],
    ["a lock that is none", (folder) => writeFileSync(join(folder, "lock"), "x".repeat(5000))],
    ["a lock that leads nowhere", (folder) => symlinkSync("/nowhere/lock", join(folder, "lock"))],
    ["a lock that leads to itself", (folder) => symlinkSync("lock", join(folder, "lock"))],
    ["a folder in place of a segment", (folder) => mkdirSync(join(folder, "v1-00000002.journal"))],
    ["a pipe", (folder) => void execFileSync("mkfifo", [join(folder, "v1-00000002.journal")])],
    ["a device", (folder) => symlinkSync("/dev/zero", join(folder, "v1-00000002.journal"))],
    [
      "a segment that leads nowhere",
      (folder) => symlinkSync("/nowhere", join(folder, "v1-00000002.journal")),
    ],
  ])("keeps no other rows from the database: %s", async (_, spoil) => {
    const bytes = await segmentOf(["one"]);
    for (const name of ["a-dead", "c-dead"]) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "v1-00000001.journal"), bytes);
    }
    mkdirSync(join(root, "b-spoilt"));
    writeFileSync(join(root, "b-spoilt", "v1-00000003.journal"), "");
    spoil(join(root, "b-spoilt"));
    await new Ingest(root, sink, report).abandoned(undefined);
    expect(sink.texts).toEqual(["one", "one"]);
  });

  it("takes texts for no rows that no row has", () => {
    const row: unknown[] = Array(18).fill("x");
    for (const length of [18, 19, 22, 23]) {
      const values = Array(length).fill("x");
      expect(valuesOfText(JSON.stringify(values))).toEqual(values);
    }
    for (const length of [17, 20, 21, 24]) {
      const text = JSON.stringify(Array(length).fill("x"));
      expect(() => valuesOfText(text), text).toThrow(NoSpendRow);
    }
    for (const value of [{}, [], true]) {
      const text = JSON.stringify(row.with(3, value));
      expect(() => valuesOfText(text), text).toThrow(NoSpendRow);
    }
  });

  it("goes on past a row that the database refuses, and says so", async () => {
    const texts = Array.from({ length: 9 }, (_, index) => `[${index}]`);
    sink.failure = (given) => (given.includes("[4]") ? new RangeError("refused") : undefined);
    const ingest = new Ingest(root, sink, report);
    await ingest.write(texts);
    expect(sink.texts).toEqual(texts.filter((text) => text !== "[4]"));
    expect([ingest.takeRefused(), ingest.takeRefused()]).toEqual([1, 0]);
    expect(reports).toMatchObject([{ level: "error" }]);
  });

  it("takes no part of a record when the disk fills up, and goes on when there is room again", async () => {
    let room = 1010;
    const full = ((descriptor: number, buffer: Buffer, offset: number, length: number) => {
      if (room === 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      const taken = Math.min(room, length);
      room -= taken;
      return writeSync(descriptor, buffer, offset, taken);
    }) as typeof writeSync;
    const now = vi.spyOn(performance, "now");
    const journal = writer(full);
    const text = JSON.stringify(["x".repeat(286)]);
    const took = [1, 2, 3, 4, 5].map(() => journal.append([text]));
    expect(took).toEqual([1, 1, 1, 0, 0]);
    expect(changes).toEqual([expect.stringContaining("ENOSPC")]);
    room = 2 ** 20;
    expect(journal.append([text])).toBe(0);
    now.mockReturnValue(performance.now() + 1001);
    expect(journal.append([text])).toBe(1);
    expect(changes).toEqual([expect.stringContaining("ENOSPC"), undefined]);
    await kill(journal);
    await new Ingest(root, sink, report).abandoned(undefined);
    expect(sink.texts).toEqual(Array(4).fill(text));
    expect(reports.filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("takes records together in one write, and none of those where the disk fills up meanwhile", async () => {
    let room = 2 ** 20;
    const lengths: number[] = [];
    const full = ((descriptor: number, buffer: Buffer, offset: number, length: number) => {
      if (room === 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      const taken = Math.min(room, length);
      room -= taken;
      lengths.push(taken);
      return writeSync(descriptor, buffer, offset, taken);
    }) as typeof writeSync;
    const now = vi.spyOn(performance, "now");
    const journal = writer(full);
    const texts = Array.from({ length: 300 }, (_, index) => JSON.stringify([index, "é".repeat(170)]));
    expect(journal.append(texts.slice(0, 9))).toBe(9);
    expect(lengths).toHaveLength(1);
    // More than the buffer holds: in two writes, of which the second meets the full disk.
    room = 70_000;
    const taken = journal.append(texts.slice(9));
    expect(lengths).toHaveLength(3);
    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(200);
    room = 2 ** 20;
    now.mockReturnValue(performance.now() + 1001);
    expect(journal.append(texts.slice(9 + taken))).toBe(291 - taken);
    await kill(journal);
    await new Ingest(root, sink, report).abandoned(undefined);
    expect(sink.texts).toEqual(texts);
    expect(reports.filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("takes all records of a write or none, at whichever byte the disk is full", async () => {
    const texts = ["one", "two €", "x".repeat(40)].map((text) => JSON.stringify([text]));
    const length = texts.reduce((sum, text) => sum + 12 + Buffer.byteLength(text), 0);
    for (let room = 0; room <= length; room += 1) {
      let left = room;
      const full = ((descriptor: number, buffer: Buffer, offset: number, count: number) => {
        if (left === 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
        const taken = Math.min(left, count);
        left -= taken;
        return writeSync(descriptor, buffer, offset, taken);
      }) as typeof writeSync;
      const journal = writer(full);
      const taken = journal.append(texts);
      expect(taken).toBe(room < length ? 0 : texts.length);
      expect(journal.bytes).toBe(taken === 0 ? 0 : length);
      sink = new TestSink();
      reports = [];
      await new Ingest(root, sink, report).own(journal.folder!, true);
      expect(sink.texts).toEqual(texts.slice(0, taken));
      expect(reports).toEqual([]);
      await journal.close();
      journal.release();
    }
  });

  it("takes no more than its limit, and more once rows are in the database", async () => {
    const journal = writer(undefined, 500);
    const text = JSON.stringify(["x".repeat(180)]);
    expect([1, 2, 3].map(() => journal.append([text]))).toEqual([1, 1, 0]);
    expect(changes).toEqual([expect.stringContaining("limit")]);
    journal.measured(0, journal.appended);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1001);
    expect(journal.append([text])).toBe(1);
    await journal.close();
    journal.release();
  });

  it("is there for the next process when it could not be made at first", () => {
    writeFileSync(join(root, "file"), "");
    const blocked = new SegmentWriter({
      root: join(root, "file"),
      config: { current: { generalSettings: { spendJournalMaxMb: 1 } } },
      onChange: (failure) => void changes.push(failure),
    });
    expect(blocked.open()).toBe(false);
    expect(blocked.append(["[1]"])).toBe(0);
    expect(changes).toHaveLength(1);
    expect(blocked.folder).toBeUndefined();
  });
});
