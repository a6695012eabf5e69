import { Kind } from "../../syntax/kinds.ts";
import type { LineFacts } from "./line-facts.ts";

/** Whether the line begins with `else` or `elif`: an `if` goes on, maybe with further overloads. */
export function continuesIf(line: LineFacts): boolean {
  const kind = line.tree.kind[line.first];
  return kind === Kind.KW_ELSE || kind === Kind.KW_ELIF;
}
