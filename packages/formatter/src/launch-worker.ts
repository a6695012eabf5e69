/** Starts a thread of the built command line; from the sources, `format-worker.ts` starts itself. */
import { join } from "node:path";
import { loadBundle } from "./files/cache/code-cache.ts";

loadBundle(join(import.meta.dirname, "format-worker.cjs"));
