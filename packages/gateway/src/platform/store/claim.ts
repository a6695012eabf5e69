/** Columns of a row that one of several processes works on. Times are milliseconds since the epoch. */
export interface Claim {
  id: string;
  /** Tells the process that works on it from later ones. */
  owner: string;
  /** Until then the owner counts as alive, unless it shows itself again. */
  alive_until: number;
  expires_at: number;
}
