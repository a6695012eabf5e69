/** A kind of fault that was found once, and the makers whose programs are made for its class (`oracle/`). */
export interface Finding {
  readonly name: string;
  readonly about: string;
  readonly makers: readonly string[];
}

/** Every kind of fault that an audit or a search has found: `--finding` makes programs for one of them alone. */
export const findings: readonly Finding[] = [
  { name: "output", about: "the output is no Python, or another program", makers: ["paired", "odd"] },
  { name: "behind", about: "a statement behind directives is refused or loses its body", makers: ["behind"] },
  { name: "type-comments", about: "joined type comments, lost ones", makers: ["typed", "commented"] },
  { name: "fields", about: "f-strings in f-strings, and what their fields may hold", makers: ["fields"] },
  { name: "continuations", about: "backslashes in code and in fields", makers: ["continued", "literals"] },
  {
    name: "second-pass",
    about: "a first pass that the second cannot parse",
    makers: ["directives", "paired", "fenced"],
  },
  { name: "strings", about: "strings that are merged, split and wrapped", makers: ["strings", "processed"] },
  { name: "cells", about: "cells of notebooks", makers: ["cell"] },
  { name: "spaces", about: "special spaces in cells of notebooks", makers: ["spaced"] },
  { name: "semicolons", about: "semicolons that hide a cell's value", makers: ["silenced"] },
  { name: "indentation", about: "comments and backslashes beside indentation", makers: ["indented"] },
  { name: "patterns", about: "what a case may hold", makers: ["patterns"] },
  { name: "lines", about: "the line of the interpreter's refusal", makers: ["odd", "fields", "typed"] },
  { name: "ranges", about: "directives at the edges of line ranges", makers: ["ranged"] },
  { name: "features", about: "what one preview feature changes", makers: ["featured"] },
  {
    name: "parentheses",
    about: "parentheses and commas that mean nothing or little",
    makers: ["parens", "commas"],
  },
  {
    name: "lengthy",
    about: "statements with many links, which have shorter ways of their own",
    makers: ["lengthy"],
  },
  { name: "formatted", about: "files that are formatted but for a change or two", makers: ["again"] },
  { name: "ends", about: "files that end in a backslash or a block", makers: ["ended"] },
];
