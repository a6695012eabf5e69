/** What the tokenizer saw in the gap before a leaf; read instead of scanning the prefix again. */

export const COMMENT = 1;
export const NEWLINE = 2;
export const BACKSLASH = 4;
export const FORM_FEED = 8;
