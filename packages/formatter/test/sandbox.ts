import { isUtf8 } from "node:buffer";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundledForTests, compileCache } from "../../../tools/bundles.ts";

const main = join(await bundledForTests("formatter"), "bin/jetblack.cjs");

/** What a run of the command line did. */
export interface RunResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that goes on. */
export interface RunningProgram {
  readonly process: ChildProcess;
  readonly done: Promise<RunResult>;
}

/** How a run is started. */
interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: Uint8Array | string;
  /** Whether the permissions of files hold for the superuser, too. */
  readonly obeysPermissions?: boolean;
}

/** Takes all capabilities from the superuser, among them the one to pass over permissions. */
const OBEYING = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];

/** A folder of its own for one test, with a cache and a home that nobody else uses. */
export class Sandbox {
  readonly folder: string;
  readonly #base: string;

  constructor() {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-test-")));
    this.folder = join(this.#base, "work");
    mkdirSync(this.folder);
  }

  write(path: string, contents: string | Uint8Array): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), contents);
  }

  /** Runs the program in the folder. */
  run(args: readonly string[], options: RunOptions = {}): RunResult {
    const prefix = options.obeysPermissions ? OBEYING : [];
    return this.#spawn([...prefix, process.execPath, main, ...args], options);
  }

  /** Starts the program and leaves it running. */
  start(args: readonly string[]): RunningProgram {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: this.folder,
      env: this.#environment({}),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    const done = once(child, "close").then(([exitCode]) => ({
      exitCode,
      stdout: "",
      stderr: Buffer.concat(chunks).toString("utf8"),
    }));
    return { process: child, done };
  }

  /** The same after a shell command, in the same process. */
  runAfter(command: string, args: readonly string[]): RunResult {
    return this.#spawn(["sh", "-c", `${command} && exec "$@"`, "sh", process.execPath, main, ...args], {});
  }

  #spawn([program, ...args]: readonly string[], options: RunOptions): RunResult {
    const env = this.#environment(options.env ?? {});
    const done = spawnSync(program!, args, {
      cwd: this.folder,
      env,
      input: options.input ?? "",
      timeout: 240_000,
    });
    return {
      exitCode: done.status,
      stdout: decode(done.stdout),
      stderr: done.stderr.toString("utf8"),
    };
  }

  #environment(further: Readonly<Record<string, string>>): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.#base,
      // What is written there about an internal error goes with the folder.
      TMPDIR: this.#base,
      JETBLACK_CACHE_DIR: join(this.#base, "cache"),
      ...compileCache(),
      ...further,
    };
  }

  /** Runs a shell command in the folder; `{B}` stands for the program. */
  prepare(command: string): void {
    for (const step of command.split(";")) {
      const trimmed = step.trim();
      if (trimmed.startsWith("{B}")) this.run(trimmed.slice(3).trim().split(" "));
      else if (trimmed !== "")
        spawnSync("sh", ["-c", trimmed.replace(/^mkdir /, "mkdir -p ")], { cwd: this.folder });
    }
  }

  remove(): void {
    spawnSync("chmod", ["-R", "u+rwx", this.#base]);
    rmSync(this.#base, { recursive: true, force: true });
  }
}

/** Output as the recorded runs show it: bytes that are not UTF-8 as `\xNN`, and LF for every line end. */
function decode(bytes: Buffer): string {
  const text = isUtf8(bytes)
    ? bytes.toString("utf8")
    : bytes.toString("latin1").replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  return text.replaceAll("\r\n", "\n");
}
