import { join } from "node:path";
import { productVersion } from "../../mode/versions.ts";
import { homeFolder } from "../../util/home-folder.ts";

/**
 * Where the cache lives: `--cache-dir`, else `JETBLACK_CACHE_DIR`, else a folder in `BLACK_CACHE_DIR`, which may be in
 * use by Black itself, else the user's cache folder. Each version has a folder of its own there.
 */
export function cacheFolder(
  chosen: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const { JETBLACK_CACHE_DIR: own, BLACK_CACHE_DIR: ofBlack } = environment;
  const forUser = ofBlack ? join(ofBlack, "jetblack") : userCacheFolder(environment);
  return join(chosen ?? own ?? forUser, productVersion);
}

/** The user's own folder for this program, whatever the cache's variables say. */
export function userCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32")
    return join(environment.LOCALAPPDATA ?? homeFolder(), "jetblack", "Cache");
  if (process.platform === "darwin") return join(homeFolder(), "Library", "Caches", "jetblack");
  return join(environment.XDG_CACHE_HOME || join(homeFolder(), ".cache"), "jetblack");
}
