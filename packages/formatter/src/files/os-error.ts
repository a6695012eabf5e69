const numbers: Readonly<Record<string, readonly [number, string]>> = {
  EPERM: [1, "Operation not permitted"],
  ENOENT: [2, "No such file or directory"],
  EIO: [5, "Input/output error"],
  EACCES: [13, "Permission denied"],
  ENOTDIR: [20, "Not a directory"],
  EISDIR: [21, "Is a directory"],
  EMFILE: [24, "Too many open files"],
  ENOSPC: [28, "No space left on device"],
  EROFS: [30, "Read-only file system"],
  ENAMETOOLONG: [36, "File name too long"],
  ELOOP: [40, "Too many levels of symbolic links"],
};

/** The error code of a failed system call, or `undefined` for other errors. */
export function osErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A failed system call in Python's words: `[Errno 13] Permission denied: 'a.py'`; other errors by their message. */
export function describeOsError(error: unknown, path: string): string {
  const known = numbers[osErrorCode(error) ?? ""];
  if (known !== undefined) return `[Errno ${known[0]}] ${known[1]}: '${path}'`;
  return error instanceof Error ? error.message : String(error);
}
