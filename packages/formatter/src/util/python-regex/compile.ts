import { PatternError } from "./pattern-error.ts";
import { Translator } from "./translator.ts";

/**
 * A pattern of Python's `re` as a JavaScript expression with the same meaning for `search`.
 * A pattern with a line break is read in verbose mode (Black: `re_compile_maybe_verbose`).
 *
 * @throws {PatternError} with Python's message for a malformed pattern, or with the reason why it cannot be carried over.
 */
export function compilePythonRegex(pattern: string): RegExp {
  const full = pattern.includes("\n") ? `(?x)${pattern}` : pattern;
  const translator = new Translator(full);
  const source = translator.translate();
  try {
    return new RegExp(source, translator.flags.ignoreCase ? "ui" : "u");
  } catch (error) {
    throw new PatternError(
      `it cannot be translated to JavaScript (${error instanceof Error ? error.message : error})`,
      full,
    );
  }
}
