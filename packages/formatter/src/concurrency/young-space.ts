/**
 * V8 lets the space for new objects grow to 67 MB in each thread while much is formatted, half of which waits empty for what
 * survives; with 16 MB the same takes no more time. V8's own options for that are read when a thread starts.
 */
const HALF_MEGABYTES = 8;

/** V8 begins with a half of 1 MB, which grows by this. */
const GROWTH = HALF_MEGABYTES;

/** Enough to make it grow: 3 MB, in few arrays, which take a third of the time that many small objects do. */
const SURVIVORS = 400;
const LENGTH = 1000;

/** Has threads that are started from now on have all of that space at once, and never more. */
export function boundYoungSpaceOfThreads(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const end of ["min", "max"]) setFlagsFromString(`--${end}-semi-space-size=${HALF_MEGABYTES}`);
}

/**
 * Has the space of this thread grow once, as it does when many objects survive, and never again. For a run that has much to
 * format: the options are those of all threads.
 */
export function boundYoungSpace(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH}`);
  const survivors: unknown[] = [];
  for (let i = 0; i < SURVIVORS; i++) survivors.push(new Array(LENGTH).fill(0));
  survivors.length = 0;
  setFlagsFromString("--semi-space-growth-factor=1");
}
