/** A moment as OpenTelemetry's libraries take it: seconds and nanoseconds. */
export function hrTime(milliseconds: number): [seconds: number, nanoseconds: number] {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
