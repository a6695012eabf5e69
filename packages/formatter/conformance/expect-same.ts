/** For commands that try a package as its users do: what holds is a line, the first thing that does not ends them. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
  say(what);
}

export function say(what: string): void {
  process.stdout.write(`ok: ${what}\n`);
}
