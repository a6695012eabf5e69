/** Who works on a thing. Times are milliseconds since the epoch. */
export interface LeaseRow {
  /** What kind of thing it is; names are unique within it. */
  kind: string;
  name: string;
  /** Tells this holder from later ones; null while nobody has it. */
  owner: string | null;
  /** Until then the holder counts as alive, unless it renews; null while nobody has it. */
  alive_until: number | null;
  /** JSON: how far the last holder got. */
  checkpoint: string | null;
}

declare module "../store/schema.ts" {
  interface Schema {
    leases: LeaseRow;
  }
}
