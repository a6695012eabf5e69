import { productVersion } from "../mode/versions.ts";
import { describeParseError, type ParseError } from "../parse/errors.ts";

/**
 * The first pass over a source wrote what the second one cannot parse: the fault is this program's and not the
 * source's, whose lines the place does not name (Black: `format_str`).
 */
export class InvalidOutputError extends Error {
  override readonly name = "InvalidOutputError";
  /** What the first pass wrote. */
  readonly output: string;
  readonly #reason: ParseError;

  constructor(reason: ParseError, output: string) {
    super(describe(undefined, reason), { cause: reason });
    this.output = output;
    this.#reason = reason;
  }

  /** The message with the file's path, as Black prints it. */
  describe(path: string): string {
    return describe(path, this.#reason);
  }
}

function describe(path: string | undefined, reason: ParseError): string {
  return `INTERNAL ERROR: Jetblack ${productVersion} produced invalid code:\n${describeParseError(path, reason)}`;
}
