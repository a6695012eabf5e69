/** The comments that a prefix holds (`comments.py` ProtoComment, list_comments). */
import { Kind } from "../syntax/kinds.ts";
import { isPythonSpace } from "../util/python-text.ts";
import { makeComment } from "./make-comment.ts";

/** A comment within a prefix; not yet a leaf. */
export interface ProtoComment {
  /** COMMENT behind code, STANDALONE_COMMENT on a line of its own. */
  readonly kind: number;
  /** As it is printed. */
  readonly value: string;
  /** Blank lines and line breaks before it, since the comment before. */
  readonly newlines: number;
  /** Length of the prefix up to and with the line end of the comment. */
  readonly consumed: number;
  /** A form feed stands on a line before it. */
  readonly formFeed: boolean;
  /** White space before it on its line. */
  readonly leadingWhitespace: string;
  /** As it stands in the source. */
  readonly originalValue: string;
  /** 0-based line within the prefix. */
  readonly lineIndex: number;
}

const none: readonly ProtoComment[] = [];

/** @param isEndmarker whether the prefix is that of the end of the file, where no comment is behind code */
export function listComments(prefix: string, isEndmarker: boolean): readonly ProtoComment[] {
  return prefix.includes("#") ? [...commentsIn(prefix, isEndmarker)] : none;
}

/** The same one by one, for whoever needs the first ones of many. */
export function* commentsIn(prefix: string, isEndmarker: boolean): Generator<ProtoComment, void, void> {
  let newlines = 0;
  let ignoredLines = 0;
  let formFeed = false;
  let lineIndex = 0;
  let start = 0;
  for (;;) {
    const newline = prefix.indexOf("\n", start);
    const end = newline === -1 ? prefix.length : newline;
    let content = start;
    while (content < end && isPythonSpace(prefix.charCodeAt(content))) content++;
    if (content === end) {
      newlines++;
      if (hasFormFeed(prefix, start, end)) formFeed = true;
    } else if (prefix.charCodeAt(content) === 0x23) {
      const originalValue = prefix.slice(content, end);
      yield {
        kind: lineIndex === ignoredLines && !isEndmarker ? Kind.COMMENT : Kind.STANDALONE_COMMENT,
        value: makeComment(originalValue),
        newlines,
        consumed: end + 1,
        formFeed,
        leadingWhitespace: prefix.slice(start, content),
        originalValue,
        lineIndex,
      };
      formFeed = false;
      newlines = 0;
    } else if (prefix.charCodeAt(end - 1) === 0x5c) ignoredLines++; // an escaped line break is none
    if (newline === -1) return;
    start = newline + 1;
    lineIndex++;
  }
}

/** The texts of a prefix's comments as they are printed, the last one first. */
export function* textsFromEnd(prefix: string): Generator<string, void, void> {
  for (let end = prefix.length; ; ) {
    const start = end === 0 ? 0 : prefix.lastIndexOf("\n", end - 1) + 1;
    let content = start;
    while (content < end && isPythonSpace(prefix.charCodeAt(content))) content++;
    if (prefix.charCodeAt(content) === 0x23 && content < end) yield makeComment(prefix.slice(content, end));
    if (start === 0) return;
    end = start - 1;
  }
}

function hasFormFeed(prefix: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (prefix.charCodeAt(at) === 0x0c) return true;
  return false;
}
