import { homedir } from "node:os";
import { parse } from "node:path";

/** The user's home; the file system's root for one who has none, where containers put it, too. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return parse(process.execPath).root;
  }
}
