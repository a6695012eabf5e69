/** Milliseconds since the process began. The global `performance` would take as long to load as a small file to format. */
export function now(): number {
  return process.uptime() * 1000;
}
