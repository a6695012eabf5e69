import { TooDeepError } from "../syntax/too-deep-error.ts";

/** A line has so many brackets within brackets, each of them to be indented more than the one around it, that no split is tried. */
export class TooManyBracketsError extends TooDeepError {
  override readonly name = "TooManyBracketsError";

  constructor() {
    super("the output would have more than 1,000 nested brackets; Python takes 200");
  }
}
