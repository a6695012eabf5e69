import type { FormatOptions } from "../format/options.ts";
import type { ParseErrorDetails } from "../parse/errors.ts";

/** What a page asks its worker. */
export interface WorkerRequest {
  readonly id: number;
  readonly source: string;
  readonly options: FormatOptions;
}

/** The worker's answer; errors as what their constructors take, since a clone of an error has lost its class. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly output: string }
  | { readonly parseError: ParseErrorDetails }
  | { readonly error: { readonly name: string; readonly message: string } }
);
