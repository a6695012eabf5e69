import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { isCompilerDelayed } from "../../concurrency/compiler-delay.ts";
import { productVersion } from "../../mode/versions.ts";
import { fingerprint } from "../../util/fingerprint.ts";
import { isOff } from "../../util/speed-paths.ts";
import { userCacheFolder } from "./cache-folder.ts";
import { makeFolder } from "./make-folder.ts";

/** A bundle whose compiled code is not stored yet. */
interface Uncached {
  readonly script: Script;
  /** Where the code belongs. */
  readonly place: string;
}

const loaded = new Map<string, unknown>();
const uncached: Uncached[] = [];
/** Where code is kept. */
let ownFolder: string | undefined;

/** V8's names of them. */
const COMPILERS = ["sparkplug", "maglev", "opt"] as const;
/** Those that were not off already. */
const withheld: string[] = [];

/**
 * Loads one of the command line's bundles, and with it the code that V8 compiled of it in an earlier run: all functions
 * that such a run needs, not only the outermost ones that `module.enableCompileCache` keeps. The bundle is the
 * function that a CommonJS module is, in ASCII; its imports are Node's own modules and the bundles beside it.
 *
 * @param onUncached called before a bundle is compiled of which no code is stored.
 * @returns what the bundle exports.
 */
export function loadBundle(path: string, onUncached: (path: string) => void = () => undefined): unknown {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  // The fastest way to text by far, which V8 keeps at one byte a character as it is all ASCII.
  const source = readFileSync(path, "utf8");
  const place = placeOf(path);
  const cachedData = place === undefined ? undefined : readCode(place);
  if (place !== undefined && cachedData === undefined) onUncached(path);
  const options = cachedData === undefined ? { filename: path } : { filename: path, cachedData };
  const script = new Script(source, options);
  if (place !== undefined && (cachedData === undefined || script.cachedDataRejected === true))
    uncached.push({ script, place });
  const folder = dirname(path);
  const module = { exports: {} };
  const requireNear = (id: string): unknown =>
    id.startsWith("./")
      ? loadBundle(bundlePath(folder, id.slice(2)), onUncached)
      : process.getBuiltinModule(id);
  script.runInThisContext()(module.exports, requireNear, module, path, folder);
  loaded.set(path, module.exports);
  return module.exports;
}

/** The path of a bundle, the same wherever it is made. `join` would look at each of its characters, in code not yet compiled. */
export function bundlePath(folder: string, name: string): string {
  return `${folder}/${name}`;
}

/**
 * Keeps V8's compilers out until code is stored, and leaves its interpreter. What they have compiled by then is marked so
 * in the stored code: each later run would compile much of that at once, in another thread, whether it is called or not.
 */
export function withholdCompilers(): void {
  if (withheld.length > 0) return;
  const { cachedDataVersionTag, setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const compiler of COMPILERS) {
    const tag = cachedDataVersionTag();
    setFlagsFromString(`--no-${compiler}`);
    if (cachedDataVersionTag() !== tag) withheld.push(compiler);
  }
}

/** V8 takes code only under the options under which it was stored. */
function allowCompilers(): void {
  for (const compiler of withheld.splice(0))
    process.getBuiltinModule("node:v8").setFlagsFromString(`--${compiler}`);
}

/** What the bundle exports, if it has been loaded to its end. */
export function loadedBundle(path: string): unknown {
  return loaded.get(path);
}

/**
 * Stores the compiled code of bundles that had none; a failure is no error.
 *
 * @param rehearse runs what a later run may need, when there is code to store.
 */
export function storeCode(rehearse: () => void): void {
  if (uncached.length > 0) rehearse();
  allowCompilers();
  for (const { script, place } of uncached.splice(0)) {
    const temporary = `${place}.${process.pid}`;
    try {
      makeFolder(dirname(place), 0o700);
      // V8 trusts what it reads: no half of it may be there after a loss of power.
      writeFileSync(temporary, script.createCachedData(), { mode: 0o600, flush: true });
      renameSync(temporary, place);
    } catch {
      return;
    }
  }
}

/**
 * In the user's own cache folder, never in one that `JETBLACK_CACHE_DIR` names: that may be shared, and code is run.
 * `undefined` where no code is to be kept.
 */
function placeOf(path: string): string | undefined {
  if (isOff("code-cache") || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const { size, ctimeMs } = statSync(path);
  const { version, arch, execArgv } = process;
  // V8 compares nothing of the source but its length; other flags make other code.
  const flags = [execArgv, process.env.NODE_OPTIONS, isCompilerDelayed()];
  const key = [path, size, ctimeMs, version, arch, flags];
  ownFolder ??= join(userCacheFolder(), productVersion);
  return `${ownFolder}/code-${fingerprint(JSON.stringify(key))}`;
}

/** `undefined` when there is none, or somebody else may have written it. */
function readCode(place: string): Buffer | undefined {
  try {
    const file = openSync(place, "r");
    try {
      const { uid, mode } = fstatSync(file);
      const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      return isOwn ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
