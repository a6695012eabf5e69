/** Milliseconds since 1970; replaceable so that a test decides what time it is. */
export type Clock = () => number;

/** A clock's time in whole seconds, as the providers' `created` fields have it. */
export function seconds(clock: Clock): number {
  return Math.floor(clock() / 1000);
}
