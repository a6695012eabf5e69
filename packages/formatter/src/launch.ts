/** Starts the built command line; from the sources, `main.ts` starts itself. */
import { delayCompilers } from "./concurrency/compiler-delay.ts";
import {
  bundlePath,
  loadBundle,
  loadedBundle,
  storeCode,
  withholdCompilers,
} from "./files/cache/code-cache.ts";
import type * as Formatting from "./files/formatting.ts";
import type * as Main from "./main.ts";

const command = bundlePath(import.meta.dirname, "command.cjs");
const formatting = bundlePath(import.meta.dirname, "formatting.cjs");

/** What asks about the program, and compiles too little of what other runs need. */
const QUESTIONS: readonly (string | undefined)[] = [undefined, "-h", "--help", "--version"];

const loadedMain = (): typeof Main | undefined => loadedBundle(command) as typeof Main | undefined;

delayCompilers();
process.on("exit", () => {
  const main = loadedMain();
  const loaded = loadedBundle(formatting) as typeof Formatting | undefined;
  if (main === undefined || main.isTurbofanDelayed() || QUESTIONS.includes(process.argv[2])) return;
  storeCode(() => loaded?.formatSample());
});
loadBundle(command, (path) => {
  if (path === formatting && loadedMain()?.isBriefRun()) withholdCompilers();
});
