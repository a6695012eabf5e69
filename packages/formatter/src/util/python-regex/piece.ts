/** A translated part of a pattern. */
export interface Piece {
  readonly source: string;
  /** Fewest and most characters it can match; lookbehind needs them equal. */
  readonly min: number;
  readonly max: number;
  /** It is a place alone, of which there is no repeat. */
  readonly isAnchor?: boolean;
}
