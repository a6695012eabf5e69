import { FaultRules } from "../faults/rules.ts";
import { Counters } from "../journal/counters.ts";
import { Journal } from "../journal/journal.ts";
import type { Clock } from "../util/clock.ts";
import { IdSource } from "../util/ids.ts";
import { BlobStore } from "./blob-store.ts";
import { defaultSettings, type Settings } from "./settings.ts";

/** What all providers of one simulator share. */
export class SimulatorState {
  readonly clock: Clock;
  readonly ids = new IdSource();
  readonly rules = new FaultRules();
  readonly journal = new Journal();
  readonly counters = new Counters();
  readonly blobs: BlobStore;
  settings: Settings = defaultSettings();
  /** Whether an id that names nothing is taken for an object with sample values. */
  placeholders = false;

  /** @param dataLimitBytes bytes that uploads and results may take on disk */
  constructor(clock: Clock, dataLimitBytes: number) {
    this.clock = clock;
    this.blobs = new BlobStore(dataLimitBytes);
  }

  /** Back to the state of a fresh start. */
  async reset(): Promise<void> {
    this.ids.reset();
    this.rules.clear();
    this.journal.clear();
    this.journal.enabled = true;
    this.counters.reset();
    this.settings = defaultSettings();
    this.placeholders = false;
    await this.blobs.clear();
  }
}
