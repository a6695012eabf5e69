import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { productVersion } from "../../mode/versions.ts";
import { fingerprint } from "../../util/fingerprint.ts";
import { isOff } from "../../util/speed-paths.ts";
import { userCacheFolder } from "./cache-folder.ts";

/** A bundle whose compiled code is not stored yet. */
interface Uncached {
  readonly script: Script;
  /** Where the code belongs. */
  readonly place: string;
}

const loaded = new Map<string, unknown>();
const uncached: Uncached[] = [];

/**
 * Loads one of the command line's bundles, and with it the code that V8 compiled of it in an earlier run: all functions
 * that such a run needs, not only the outermost ones that `module.enableCompileCache` keeps. The bundle is a CommonJS
 * module in ASCII whose imports are Node's own modules and the bundles beside it.
 *
 * @returns what the bundle exports.
 */
export function loadBundle(path: string): unknown {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const source = readFileSync(path, "latin1");
  const place = placeOf(path);
  const cachedData = place === undefined ? undefined : readCode(place);
  const options = cachedData === undefined ? { filename: path } : { filename: path, cachedData };
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
    options,
  );
  if (place !== undefined && (cachedData === undefined || script.cachedDataRejected === true))
    uncached.push({ script, place });
  const folder = dirname(path);
  const module = { exports: {} };
  const requireNear = (id: string): unknown =>
    id.startsWith("./") ? loadBundle(join(folder, id)) : process.getBuiltinModule(id);
  script.runInThisContext()(module.exports, requireNear, module, path, folder);
  loaded.set(path, module.exports);
  return module.exports;
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
  for (const { script, place } of uncached.splice(0)) {
    const temporary = `${place}.${process.pid}`;
    try {
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
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
  const key = [path, size, ctimeMs, version, arch, execArgv, process.env.NODE_OPTIONS];
  return join(userCacheFolder(), productVersion, `code-${fingerprint(JSON.stringify(key))}`);
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
