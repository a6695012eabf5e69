import { join } from "node:path";
import { homeFolder } from "../../util/home-folder.ts";
import { RealPaths } from "./real-paths.ts";
import { isFile, statPath } from "./stat-path.ts";

/** The user-level configuration file: ours, else Black's (Black: `files.py` find_user_pyproject_toml); `undefined` when neither exists. */
export function findUserFile(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = userFiles(environment).find((path) => isFile(statPath(path)));
  return found === undefined ? undefined : new RealPaths().leniently(found);
}

/** Where it may be: the first that exists counts. */
function userFiles(environment: NodeJS.ProcessEnv = process.env): string[] {
  if (process.platform === "win32") return [join(homeFolder(), ".jetblack"), join(homeFolder(), ".black")];
  const folder = expandHome(environment.XDG_CONFIG_HOME ?? "~/.config");
  return ["jetblack", "black"].map((name) => join(folder, name));
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homeFolder(), path.slice(1)) : path;
}
