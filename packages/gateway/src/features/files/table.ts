/** A piece of a file that is kept in the database. */
export interface FilePieceRow {
  key: string;
  /** Counts from 0. */
  piece: number;
  bytes: Uint8Array;
}

/** A file in the storage that nothing names yet. Times are milliseconds since the epoch. */
export interface UnclaimedFileRow {
  key: string;
  /** Under which object storage knows the parts that it has so far. */
  upload_id: string | null;
  /** When somebody last wrote it. */
  touched_at: number;
  /** When somebody began to remove it; 0 while nobody has. */
  swept_at: number;
}

export interface FilesSchema {
  unclaimed_files: UnclaimedFileRow;
  file_pieces: FilePieceRow;
}

declare module "../../platform/store/schema.ts" {
  interface Schema extends FilesSchema {}
}
