const WIDTH = 4;

/**
 * Columns before a line at `depth`. A `# fmt: skip` of its own before the first statement of a block takes the INDENT
 * away, so that what follows the block stands one level outside of the file: Black multiplies a string by the depth.
 */
export function indentWidth(depth: number): number {
  return depth > 0 ? WIDTH * depth : 0;
}
