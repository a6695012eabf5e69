/** A translated part of a pattern. */
export interface Piece {
  readonly source: string;
  /** Fewest and most characters it can match; lookbehind needs them equal. */
  readonly min: number;
  readonly max: number;
  /** It matches no characters by itself, so a repeat must wrap it. */
  readonly isAnchor?: boolean;
}
