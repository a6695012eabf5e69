import { ParseError } from "../src/parse/errors.ts";
import { inspect } from "./inspect.ts";
import { describePlace } from "./place.ts";
import type { Answer, Question } from "./worker-messages.ts";

/** The page's worker: formats and checks what it is sent, one source after the other, without holding up the page. */
addEventListener("message", ({ data }: { data: Question }) => {
  postMessage(answer(data));
});

function answer({ id, state }: Question): Answer {
  try {
    return { id, inspection: inspect(state) };
  } catch (error) {
    return { id, failure: describe(error) };
  }
}

function describe(error: unknown): string {
  if (error instanceof ParseError) return describePlace(error);
  return error instanceof Error ? error.message : String(error);
}
