/** How a comment is printed (`comments.py` make_comment). */
import { isTypeCommentString } from "../syntax/predicates/type-comments.ts";
import { lstrip, rstrip, strip } from "../util/python-text.ts";
import { containsFmtDirective, FMT_ANY } from "./directives.ts";

const NO_BREAK_SPACE = "\u00a0";
/** What may follow the hash without a space. */
const EXCEPTIONS = " !:#'";

/** The comment with one space after the hash, except for shebangs, `#:` and the like, and for directives. */
export function makeComment(source: string): string {
  const comment = rstrip(source);
  if (comment === "") return "#";
  if (comment.startsWith("#") && containsFmtDirective(comment, FMT_ANY)) return comment;
  let content = comment.startsWith("#") ? comment.slice(1) : comment;
  if (content.startsWith(NO_BREAK_SPACE) && !isTypeCommentString(`# ${lstrip(content)}`)) {
    content = ` ${content.slice(1)}`;
  }
  if (content !== "" && !content.includes(NO_BREAK_SPACE) && isTypeCommentString(`#${content}`)) {
    const colon = content.indexOf(":");
    content = `${strip(content.slice(0, colon))}: ${strip(content.slice(colon + 1))}`;
  }
  if (content !== "" && !EXCEPTIONS.includes(content[0]!)) content = ` ${content}`;
  return `#${content}`;
}
