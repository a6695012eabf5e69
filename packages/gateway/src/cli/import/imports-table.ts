/** What an import has taken over, so that the next one knows it again. */
interface ImportedRow {
  /** Which database it came from. */
  source: string;
  kind: string;
  id: string;
  /** Stands for what the source said; another one after a change there. */
  source_mark: string;
  /** Stands for what was written here; another one after a change here. */
  mark: string;
  /** What the source had counted as spent, in US dollars. */
  spend: number;
}

declare module "../../platform/store/schema.ts" {
  interface Schema {
    imported: ImportedRow;
  }
}

export type { ImportedRow };
