import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder with Black's cases and answers: `JETBLACK_DATA`, or `shared/formatter` beside the repository; `undefined` where there is none. */
export function findDataFolder(): string | undefined {
  const beside = fileURLToPath(new URL("../../../../shared/formatter", import.meta.url));
  const folder = process.env.JETBLACK_DATA ?? beside;
  return existsSync(folder) ? folder : undefined;
}
