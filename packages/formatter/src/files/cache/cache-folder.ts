import { homedir } from "node:os";
import { join } from "node:path";
import { productVersion } from "../../mode/versions.ts";

/** Where the cache lives: `--cache-dir`, else `JETBLACK_CACHE_DIR`, else the user's cache folder; one folder for each version. */
export function cacheFolder(
  chosen: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  return join(chosen ?? environment.JETBLACK_CACHE_DIR ?? userCacheFolder(environment), productVersion);
}

function userCacheFolder(environment: NodeJS.ProcessEnv): string {
  if (process.platform === "win32") return join(environment.LOCALAPPDATA ?? homedir(), "jetblack", "Cache");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "jetblack");
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "jetblack");
}
