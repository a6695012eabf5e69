import type * as Files from "node:fs";
import type * as Urls from "node:url";

/** The folder that stands for the drive `C:`. */
export const drive = { folder: "" };

/** Where runs start there. */
export const WORKING_FOLDER = "C:\\Users\\Jörg B\\my project";

/** Where a path of Windows, relative ones included, lies on this machine. */
export function onThisMachine(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const isAbsolute = /^(?:[A-Za-z]:)?\//.test(slashed);
  const absolute = isAbsolute ? slashed : `${WORKING_FOLDER.replaceAll("\\", "/")}/${slashed}`;
  return `${drive.folder}/${absolute.replace(/^[A-Za-z]:/, "").slice(1)}`;
}

/** Node's functions for files as they answer on Windows: they take both kinds of slash and give backslashes. */
export function filesOfWindows(files: typeof Files): object {
  const mapped = Object.entries(files).map(([name, member]: [string, unknown]) => {
    const isFunction = typeof member === "function" && /^[a-z]/.test(name);
    return [name, isFunction ? onDrive(name, member as (...args: unknown[]) => unknown) : member] as const;
  });
  const native = (path: string): string =>
    `C:${files.realpathSync.native(onThisMachine(path)).slice(drive.folder.length).replaceAll("/", "\\") || "\\"}`;
  return { ...Object.fromEntries(mapped), realpathSync: Object.assign(native, { native }) };
}

function onDrive(name: string, member: (...args: unknown[]) => unknown): unknown {
  const paths = name.startsWith("rename") ? 2 : 1;
  return (...args: unknown[]) =>
    member(...args.map((arg, at) => (at < paths && typeof arg === "string" ? onThisMachine(arg) : arg)));
}

/** Node's addresses of files as on Windows. */
export function addressesOfWindows({ pathToFileURL, fileURLToPath }: typeof Urls): object {
  const windows = true;
  return {
    pathToFileURL: (path: string) => pathToFileURL(path, { windows }),
    fileURLToPath: (url: string | URL) => fileURLToPath(url, { windows }),
  };
}
