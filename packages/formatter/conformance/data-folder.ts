import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const checkout = resolve(import.meta.dirname, "../../..");

/** Says in a test's title why it does not run where there is no data. */
export const NO_DATA = "needs shared/formatter beside the checkout or above it, or its path in JETBLACK_DATA";

/**
 * The folder with Black's cases and answers: `JETBLACK_DATA`, or the nearest `shared/formatter` beside the checkout or
 * beside a folder that it is in; `undefined` where there is none.
 */
export function findDataFolder(): string | undefined {
  const named = process.env.JETBLACK_DATA;
  if (named !== undefined) return existsSync(named) ? named : undefined;
  for (let folder = dirname(checkout); ; folder = dirname(folder)) {
    const found = join(folder, "shared/formatter");
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return undefined;
  }
}
