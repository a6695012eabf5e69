/** Starts a thread of the built command line; from the sources, `format-worker.ts` starts itself. */
import { bundlePath, loadBundle } from "./files/cache/code-cache.ts";

loadBundle(bundlePath(import.meta.dirname, "format-worker.cjs"));
