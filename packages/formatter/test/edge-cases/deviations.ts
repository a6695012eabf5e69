/** Runs that differ from Black's on purpose: in what, and why. `docs/formatter/deviations.md` says the same to users. */
export interface Deviation {
  /** What may differ; everything else must still agree. */
  readonly differs: readonly ("exit code" | "output" | "messages" | "files")[];
  readonly exitCode?: number;
  readonly reason: string;
}

const oneLine = "where Black prints a traceback, one line says what is wrong";
const anyVersion =
  "the safety check takes every Python version's syntax; it does not depend on an installed Python";
const ownWords =
  "the interpreter's sentence is ours, with the same place; Black's hint to use a newer Python does not apply";

export const deviations: Readonly<Record<string, Deviation>> = {
  "unknown config key": {
    differs: ["exit code", "messages"],
    exitCode: 2,
    reason: "the table accepts only known keys, so a misspelt one ends the run; Black warns and goes on",
  },
  "config invalid TOML": { differs: ["messages"], reason: oneLine },
  "symlink loop": { differs: ["messages"], reason: oneLine },
  "unreadable subdirectory": { differs: ["messages"], reason: oneLine },
  "-t py315": { differs: ["messages"], reason: "no warning about the running Python: there is none" },
  "required-version mismatch": {
    differs: ["messages"],
    reason: "the message names this program's version and that of the style",
  },
  "only backslash": { differs: ["messages"], reason: ownWords },
  "bad dedent": { differs: ["messages"], reason: ownWords },
  "invalid but lib2to3-accepted (return outside fn is AST-OK; dup arg)": {
    differs: ["messages"],
    reason: ownWords,
  },
  "py3.12 syntax on py3.11 host (safe)": {
    differs: ["exit code", "messages", "files"],
    exitCode: 0,
    reason: anyVersion,
  },
  "py3.12 f-string nesting on py3.11 host": {
    differs: ["exit code", "messages", "files"],
    exitCode: 0,
    reason: anyVersion,
  },
  "notebook not a notebook (JSON list)": {
    differs: ["messages"],
    reason: "the message says what is wrong with the file",
  },
  "notebook magics, many cells": {
    differs: ["messages"],
    reason: "the message says in words what is wrong; Black prints a Python tuple",
  },
  "nested parens n=500": { differs: ["messages"], reason: ownWords },
  "nested parens n=1000": { differs: ["messages"], reason: ownWords },
  "nested parens n=3000": { differs: ["messages"], reason: ownWords },
  "nested lists n=1000": {
    differs: ["exit code", "messages"],
    exitCode: 123,
    reason:
      "Black does not finish; the interpreter takes no more than 200 nested brackets, so the safety check refuses",
  },
  "nested if blocks n=101": { differs: ["messages"], reason: ownWords },
  "1+1+... 3000 terms": {
    differs: ["exit code", "messages", "files"],
    exitCode: 0,
    reason: "Black's limit is the running Python's recursion depth; there is no such limit here",
  },
};
