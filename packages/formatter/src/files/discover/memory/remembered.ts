/** What a search found, by column: folder after folder, each before those in it. */
export interface RememberedFolders {
  /** Names that were found or gone into, folder after folder, in order; a folder's ends in a slash. */
  readonly entries: readonly string[];
  /** For each folder: change time in ms (0: not to be trusted), inode, index of its first entry, folders from it on down. */
  readonly folders: readonly number[];
  /** Every ignore file that had a say, with its change time in ms; 0 where there was none. */
  readonly ignoreFiles: readonly (readonly [path: string, changed: number])[];
}

/** Numbers that a folder takes in `folders`. */
export const FOLDER_WIDTH = 4;

const nothing: RememberedFolders = { entries: [], folders: [], ignoreFiles: [] };

/** Damaged contents are empty ones. */
export function rememberedFrom(stored: unknown): RememberedFolders {
  const { entries, folders, ignoreFiles } = (stored ?? {}) as Partial<
    Record<keyof RememberedFolders, unknown>
  >;
  return Array.isArray(entries) && Array.isArray(folders) && Array.isArray(ignoreFiles)
    ? { entries, folders, ignoreFiles }
    : nothing;
}
