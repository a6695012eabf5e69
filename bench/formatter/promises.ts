/** A figure that Jetblack's specification limits. */
export interface Promised {
  readonly what: string;
  readonly measured: number;
  readonly atMost: number;
  readonly unit: string;
}

/** Whether each limit is kept, as a table in Markdown. */
export function promiseTable(promises: readonly Promised[]): string {
  const rows = promises.map(
    ({ what, measured, atMost, unit }) =>
      `| ${what} | ${atMost} ${unit} | ${measured.toFixed(2)} ${unit} | ${measured <= atMost ? "yes" : "**no**"} |`,
  );
  return ["| what | at most | measured | kept |", "|---|---|---|---|", ...rows].join("\n");
}

/** The limits that are not kept. */
export function brokenPromises(promises: readonly Promised[]): Promised[] {
  return promises.filter(({ measured, atMost }) => measured > atMost);
}
