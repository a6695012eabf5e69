/** Starts the built command line; from the sources, `main.ts` starts itself. */
import { join } from "node:path";
import { loadBundle, loadedBundle, storeCode } from "./files/cache/code-cache.ts";
import type * as Formatting from "./files/formatting.ts";
import type * as Main from "./main.ts";

const command = join(import.meta.dirname, "command.cjs");
const formatting = join(import.meta.dirname, "formatting.cjs");

process.on("exit", () => {
  const main = loadedBundle(command) as typeof Main;
  const loaded = loadedBundle(formatting) as typeof Formatting | undefined;
  // A run that formats nothing has compiled too little of what the next one needs.
  if (loaded !== undefined && !main.isTurbofanDelayed()) storeCode(loaded.formatSample);
});
loadBundle(command);
