import { type Option, WrongValue } from "./option.ts";

const SHAPE = "a list of texts, or the path of a file with one in each line";

/** A list, or the file that has it; `read-lists.ts` reads that. */
export function listOrFile(doc: string): Option<readonly string[] | string> {
  return {
    shape: SHAPE,
    initial: [],
    doc,
    read: (value) => {
      if (typeof value === "string" && value !== "") return value;
      // Python's YAML reads ids of digits alone as numbers, and LiteLLM compares them as texts.
      const items = Array.isArray(value)
        ? value.map((item) => (typeof item === "number" ? String(item) : item))
        : undefined;
      if (items === undefined) return new WrongValue(`expected ${SHAPE}`);
      const wrong = items.findIndex((item) => typeof item !== "string");
      return wrong === -1 ? (items as string[]) : new WrongValue("expected text", [wrong]);
    },
  };
}
