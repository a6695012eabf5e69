import { existsSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { withSlashes } from "../../util/slashes.ts";
import { parseToml, readToml, subtable } from "./load-toml.ts";
import { RealPaths } from "./real-paths.ts";
import { isFile, isFolder, statPath } from "./stat-path.ts";

/** A project's top folder and what gives it away. */
export interface ProjectRoot {
  readonly path: string;
  readonly method: ".git directory" | ".hg directory" | "pyproject.toml" | "file system root";
}

/**
 * The nearest folder at or above all the sources that holds `.git`, `.hg`, or a `pyproject.toml` with our table or
 * Black's; else the file system's root (Black: `files.py` find_project_root). `undefined` when the sources share no
 * folder, as on different drives.
 *
 * @param realPaths of the sources; what is looked up stays there.
 */
export function findProjectRoot(
  sources: readonly string[],
  stdinFilename?: string,
  realPaths: RealPaths = new RealPaths(),
): ProjectRoot | undefined {
  const named = sources.map((source) =>
    source === "-" && stdinFilename !== undefined ? stdinFilename : source,
  );
  const folders = new Set<string>();
  for (const source of named.length === 0 ? ["."] : named) folders.add(realPaths.folderOf(source));
  const base = commonFolder(folders);
  if (base === undefined) return undefined;
  for (let folder = base; ; folder = dirname(folder)) {
    // Not `join`: to look at each character again takes longer than everything else here, in code not yet compiled.
    const inside = folder.endsWith("/") ? folder : `${folder}/`;
    if (existsSync(`${inside}.git`)) return { path: folder, method: ".git directory" };
    if (isFolder(statPath(`${inside}.hg`))) return { path: folder, method: ".hg directory" };
    const project = `${inside}pyproject.toml`;
    if (isFile(statPath(project)) && hasOurTable(project)) return { path: folder, method: "pyproject.toml" };
    if (dirname(folder) === folder) return { path: folder, method: "file system root" };
  }
}

function hasOurTable(project: string): boolean {
  const tool = subtable(parseToml(readToml(project), project), "tool", project);
  return Object.hasOwn(tool, "jetblack") || Object.hasOwn(tool, "black");
}

/** The deepest folder that holds, or is, every one of these. */
function commonFolder(folders: Iterable<string>): string | undefined {
  let common: string | undefined;
  for (const folder of folders) {
    if (common === undefined) common = folder;
    // Of the folders of a project, most are in what the first ones share.
    else if (!folder.startsWith(common.endsWith("/") ? common : `${common}/`)) {
      common = sharedFolder(common, folder);
      if (common === undefined) return undefined;
    }
  }
  return common !== undefined && parse(common).root !== common ? common.replace(/\/$/, "") : common;
}

function sharedFolder(left: string, right: string): string | undefined {
  const [ours, theirs] = [partsOf(left), partsOf(right)];
  let shared = 0;
  while (shared < ours.length && ours[shared] === theirs[shared]) shared++;
  const [root, ...rest] = ours.slice(0, shared);
  return root === undefined ? undefined : withSlashes(join(root, ...rest));
}

function partsOf(folder: string): string[] {
  const { root } = parse(folder);
  return [root, ...folder.slice(root.length).split("/").filter(Boolean)];
}
