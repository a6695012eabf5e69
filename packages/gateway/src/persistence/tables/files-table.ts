/** A piece of a file that is kept in the database. */
export interface FilePieceRow {
  key: string;
  /** Counts from 0. */
  piece: number;
  bytes: Uint8Array;
}

export interface FilesSchema {
  file_pieces: FilePieceRow;
}
