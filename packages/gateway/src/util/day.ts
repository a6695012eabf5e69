/** Milliseconds of a day in UTC. */
export const DAY_MS = 86_400_000;

/** A day as `2027-01-31`. @param day days since the epoch */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
