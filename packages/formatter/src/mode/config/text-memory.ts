/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Results that depend on nothing but a text, such as a configuration file's, kept from one run to the next. */
export interface TextMemory {
  /** @param kind what was worked out. */
  find(kind: string, text: string): Json | undefined;
  add(kind: string, text: string, result: Json): void;
}

/** Keeps nothing. */
export const noMemory: TextMemory = { find: () => undefined, add: () => undefined };
