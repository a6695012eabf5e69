import { randomUUID } from "node:crypto";

const mostPerMillisecond = 0x1000;

let time = 0;
let counter = 0;
let timeText = "";

/**
 * A UUID of version 7 (RFC 9562, section 5.7): unguessable, and later ones sort behind earlier ones of this process,
 * so that a database appends them to its indexes instead of scattering them.
 */
export function orderedUuid(): string {
  counter += 1;
  const now = Date.now();
  // When a millisecond is used up, or the clock was set back, the count goes on in the next one after the last.
  if (now > time) startMillisecond(now);
  else if (counter === mostPerMillisecond) startMillisecond(time + 1);
  return timeText + counter.toString(16).padStart(3, "0") + randomUUID().slice(18);
}

function startMillisecond(at: number): void {
  time = at;
  counter = 0;
  const hex = at.toString(16).padStart(12, "0");
  timeText = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
}
