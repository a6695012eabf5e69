import type { ProjectRoot } from "../mode/config/project-root.ts";
import type { Settings } from "../mode/config/settings.ts";
import { pythonStr } from "../util/python-repr.ts";
import type { Console } from "./console.ts";

/** Says under which root and configuration the run goes, as `--verbose` asks (Black: `main`). */
export function announce(settings: Settings, root: ProjectRoot | undefined, console: Console): void {
  if (root !== undefined)
    console.message(
      `Identified \`${root.path}\` as project root containing a ${root.method}.`,
      "bold",
      "blue",
    );
  const { configuration } = settings;
  if (configuration === undefined) return;
  const lines = {
    "user level": `Using configuration from user-level config at '${configuration.path}'.`,
    "project root": "Using configuration from project root.",
    "command line": `Using configuration in '${configuration.path}'.`,
  };
  console.message(lines[configuration.origin], "bold", "blue");
  for (const [key, value] of Object.entries(configuration.values))
    console.message(`${key.replaceAll("-", "_")}: ${pythonStr(value)}`, "bold");
}
