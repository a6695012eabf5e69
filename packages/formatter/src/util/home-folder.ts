import { parse } from "node:path";

/** The user's home; the file system's root for one who has none, where containers put it, too. */
export function homeFolder(): string {
  // What `homedir` looks at first, too; its module takes a while to load.
  if (process.platform !== "win32" && process.env.HOME) return process.env.HOME;
  try {
    return process.getBuiltinModule("node:os").homedir();
  } catch {
    return parse(process.execPath).root;
  }
}
