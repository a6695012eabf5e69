/**
 * Text in pieces worth storing: the first at once, then whatever came within `everyMs`. The source is read on while
 * a piece is handled.
 */
export async function* batchText(source: AsyncIterable<string>, everyMs: number): AsyncGenerator<string> {
  const pieces = source[Symbol.asyncIterator]();
  let waiting = "";
  let sentAt = 0;
  let next = pieces.next();
  try {
    for (;;) {
      const pause = Math.max(0, sentAt + everyMs - Date.now());
      const arrived = waiting === "" ? await next : await within(next, pause);
      if (arrived === undefined || arrived.done === true) {
        if (waiting !== "") {
          yield waiting;
          waiting = "";
          sentAt = Date.now();
        }
        if (arrived !== undefined) return;
      } else {
        waiting += arrived.value;
        next = pieces.next();
        // A rejection that nobody awaits yet must not count as unhandled.
        next.catch(() => {});
      }
    }
  } finally {
    await pieces.return?.();
  }
}

/** The result if it arrives in time. */
async function within<T>(result: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
