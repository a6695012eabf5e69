import { Kind } from "../../syntax/kinds.ts";
import type { Line } from "../line.ts";

/** Whether the line begins with `else` or `elif`: an `if` goes on, maybe with further overloads. */
export function continuesIf(line: Line): boolean {
  const first = line.leaves[0];
  if (first === undefined) return false;
  const kind = line.tree.kind[first];
  return kind === Kind.KW_ELSE || kind === Kind.KW_ELIF;
}
