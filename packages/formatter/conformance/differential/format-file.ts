import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatFile } from "../../src/files/format-file.ts";
import type { Answer } from "../item.ts";
import { modeOf } from "../modes.ts";
import { readRefusal } from "../refusal.ts";
import { type Case, fileText } from "./case.ts";

/** In memory where there is such a folder: on a disk, writing and renaming take longer than all else. */
const TEMPORARY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Formats cases as the command line does: a file is read, replaced and read again, its message read as printed. */
export class ProductFiles {
  readonly #folder = mkdtempSync(join(TEMPORARY, "jetblack-differential-"));
  readonly #before = process.env.TMPDIR;

  /** Until it is closed, the evidence of internal errors, which is written among temporary files, goes there too. */
  constructor() {
    process.env.TMPDIR = this.#folder;
  }

  format(one: Case): Answer {
    const { options } = one;
    const suffix = options.is_ipynb === true ? "ipynb" : options.is_pyi === true ? "pyi" : "py";
    const path = join(this.#folder, `file.${suffix}`);
    writeFileSync(path, fileText(one));
    const result = formatFile(path, {
      mode: modeOf({ ...options, is_pyi: false, is_ipynb: false }),
      pythonCellMagics: options.python_cell_magics ?? [],
      fast: one.fast,
      writeBack: "write",
      wantsRecord: false,
      lineRanges: one.ranges,
    });
    if (result.kind === "failed")
      return { refusal: readRefusal(result.message.replace(/^error: /, "").replaceAll(path, "<file>")) };
    return { text: readFileSync(path, "utf8") };
  }

  close(): void {
    if (this.#before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.#before;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
