/** Whether the expression finds something in the path; an empty match does not count (Black: `path_is_excluded`). */
export function isExcluded(path: string, pattern: RegExp | undefined): boolean {
  if (pattern === undefined) return false;
  const match = pattern.exec(path);
  return match !== null && match[0] !== "";
}
