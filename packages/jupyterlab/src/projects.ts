import { hasOwnTable, type ProjectSettings, projectSettings } from "jetblack/editor";
import type { Contents } from "./jupyterlab.ts";

/** The project that a document belongs to. */
export interface Project {
  readonly settings: ProjectSettings;
  /** The document's path within it. */
  readonly path: string;
  /** What its `pyproject.toml` says. */
  readonly text: string;
}

/** A `pyproject.toml` with a table of ours or Black's. */
interface ProjectFile {
  readonly folder: string;
  readonly text: string;
}

const NAME = "pyproject.toml";

/** Folders from the document upwards that are looked at, a limit for odd drives. */
const MAX_DEPTH = 100;

/**
 * Finds the projects of documents among the files that JupyterLab shows: the nearest `pyproject.toml` above a document
 * that has a table of ours or Black's. Where version control begins cannot be seen, as hidden folders are not shown.
 */
export class Projects {
  readonly #contents: Contents;
  /** What was found last, by the folder of the document. */
  readonly #found = new Map<string, ProjectFile | undefined>();

  constructor(contents: Contents) {
    this.#contents = contents;
    // One that is edited in JupyterLab is in force once it is saved.
    contents.fileChanged.connect((_, { oldValue, newValue }) => {
      if ([oldValue, newValue].some((changed) => nameOf(changed?.path ?? "") === NAME)) this.#readAgain();
    });
  }

  /**
   * Looks for the project anew.
   * @throws {UsageError} for an unknown key, a wrong value, or when another version is required
   */
  async read(document: string): Promise<Project | undefined> {
    const folder = folderOf(document);
    this.#found.set(folder, await this.#find(folder));
    return this.known(document);
  }

  /** Whether the project has been looked for, so that `known` can tell. */
  isKnown(document: string): boolean {
    return this.#found.has(folderOf(document));
  }

  /** What the last look found, for those who cannot wait. Throws as `read` does. */
  known(document: string): Project | undefined {
    const file = this.#found.get(folderOf(document));
    if (file === undefined) return undefined;
    const { folder, text } = file;
    return {
      settings: projectSettings(text, join(folder, NAME)),
      path: folder === "" ? withoutDrive(document) : document.slice(folder.length).replace(/^\//, ""),
      text,
    };
  }

  #readAgain(): void {
    for (const folder of this.#found.keys())
      this.#find(folder).then(
        (file) => this.#found.set(folder, file),
        () => undefined,
      );
  }

  async #find(start: string): Promise<ProjectFile | undefined> {
    let folder = start;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const text = await this.#readIn(folder);
      if (text !== undefined && hasOwnTable(text, join(folder, NAME))) return { folder, text };
      if (withoutDrive(folder) === "") return undefined;
      folder = folderOf(folder);
    }
    return undefined;
  }

  /** By the folder's list: asking for a file that is not there would be an error in the server's log each time. */
  async #readIn(folder: string): Promise<string | undefined> {
    let list: unknown;
    try {
      list = (await this.#contents.get(folder, { content: true })).content;
    } catch {
      return undefined;
    }
    const isThere = Array.isArray(list) && list.some(({ name, type }) => name === NAME && type === "file");
    if (!isThere) return undefined;
    const { content } = await this.#contents.get(join(folder, NAME), {
      content: true,
      type: "file",
      format: "text",
    });
    return typeof content === "string" ? content : undefined;
  }
}

/** The folder of a path, with the name of its drive; the root is empty. */
function folderOf(path: string): string {
  const [drive] = /^\w+:/.exec(path) ?? [""];
  const rest = path.slice(drive.length);
  return drive + rest.slice(0, Math.max(0, rest.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function withoutDrive(path: string): string {
  return path.replace(/^\w+:/, "");
}

function join(folder: string, name: string): string {
  return folder === "" || folder.endsWith(":") ? folder + name : `${folder}/${name}`;
}
