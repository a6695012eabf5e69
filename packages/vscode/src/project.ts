import { hasOwnTable, type ProjectSettings, projectSettings, settingsOf } from "jetblack/editor";
import { FileType, Uri, workspace } from "vscode";

/** How a document is formatted, and its path within its project. */
export interface Project {
  readonly settings: ProjectSettings;
  readonly path: string;
}

/** Folders from the document upwards that are looked at, a limit for odd file systems. */
const MAX_DEPTH = 100;

/**
 * The project of a document, found as the command line does: the nearest folder above it with `.git`, `.hg` or a
 * `pyproject.toml` that has our table or Black's. Where its `pyproject.toml` says nothing, the editor's settings hold. All
 * is read anew each time, so that a changed file is in force at once.
 *
 * @throws {UsageError} when the configuration is wrong
 */
export async function findProject(document: Uri): Promise<Project> {
  let folder = Uri.joinPath(document, "..");
  for (let depth = 0; document.scheme !== "untitled" && depth < MAX_DEPTH; depth++) {
    const file = Uri.joinPath(folder, "pyproject.toml");
    const text = await readText(file);
    const isMarked = text !== undefined && hasOwnTable(text, file.path);
    if (
      isMarked ||
      (await exists(Uri.joinPath(folder, ".git"))) ||
      (await isFolder(Uri.joinPath(folder, ".hg")))
    ) {
      const path = document.path.slice(folder.path.replace(/\/$/, "").length + 1);
      return {
        path,
        settings: isMarked ? projectSettings(text, file.path) : ownSettings(document, text, file.path),
      };
    }
    const parent = Uri.joinPath(folder, "..");
    if (parent.path === folder.path) break;
    folder = parent;
  }
  return { path: document.path.replace(/^\//, ""), settings: ownSettings(document) };
}

/** The editor's settings; `requires-python` of a project without a table of ours counts too. */
function ownSettings(document: Uri, pyproject?: string, path = ""): ProjectSettings {
  const own = workspace.getConfiguration("jetblack", document);
  const values: Record<string, unknown> = {};
  const put = (key: string, value: unknown): void => {
    if (value !== null && value !== undefined && value !== false) values[key] = value;
  };
  put("line-length", own.get<number | null>("lineLength"));
  put("skip-string-normalization", own.get<boolean>("skipStringNormalization"));
  put("skip-magic-trailing-comma", own.get<boolean>("skipMagicTrailingComma"));
  put("preview", own.get<boolean>("preview"));
  const versions = own.get<string[]>("targetVersions", []);
  if (versions.length > 0) put("target-version", versions);
  if (Object.keys(values).length > 0 || pyproject === undefined) return settingsOf(values);
  return projectSettings(pyproject, path);
}

async function readText(file: Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(file));
  } catch {
    return undefined;
  }
}

async function typeOf(uri: Uri): Promise<FileType | undefined> {
  try {
    return (await workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}

async function exists(uri: Uri): Promise<boolean> {
  return (await typeOf(uri)) !== undefined;
}

async function isFolder(uri: Uri): Promise<boolean> {
  return ((await typeOf(uri)) ?? 0) === FileType.Directory;
}
