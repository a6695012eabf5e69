import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "./digest.ts";

/** Put in when the program is bundled. */
declare const JETBLACK_BUILD: string | undefined;

let ownSources: string | undefined;

/** Tells this build from others of the same version: what one remembers of a file, another may see otherwise. */
export function buildId(): string {
  if (typeof JETBLACK_BUILD === "string") return JETBLACK_BUILD;
  ownSources ??= sourcesId(join(import.meta.dirname, "../.."));
  return ownSources;
}

/** Changes with the program's sources in that folder. */
export function sourcesId(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .sort();
  const sources = names.map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  return digestOf(JSON.stringify(sources)).slice(0, 16);
}
