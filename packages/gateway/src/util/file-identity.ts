import { statSync } from "node:fs";

/** Differs when the file was written or replaced; empty while there is none. */
export function identityOfFile(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}
