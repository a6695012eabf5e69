import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Fills a new folder with links to every program of the PATH but Node.js and npm, and returns it. */
export function pathWithoutNode(folder: string): string {
  mkdirSync(folder);
  for (const source of (process.env.PATH ?? "").split(delimiter).filter((source) => existsSync(source)))
    for (const name of readdirSync(source))
      if (!/^(node|nodejs|npm|npx|corepack)$/.test(name) && !existsSync(join(folder, name)))
        symlinkSync(join(source, name), join(folder, name));
  return folder;
}
