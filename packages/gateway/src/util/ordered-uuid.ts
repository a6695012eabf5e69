import { randomFillSync } from "node:crypto";

const MAX_PER_MILLISECOND = 0x1000;

/** Random bytes drawn at once, and how many an id takes. */
const DRAWN = 4096;
const PER_ID = 8;

const hexDigits = Buffer.from("0123456789abcdef");
const DASH = 0x2d;

/** The text of the id at hand; its first 15 characters are the same for a millisecond. */
const text = Buffer.alloc(36, DASH);
const VERSION = 7;
const VERSION_AT = 14;
const COUNTER_AT = 15;
const randomAt = [19, 21, 24, 26, 28, 30, 32, 34] as const;
const random = Buffer.alloc(DRAWN);
text[VERSION_AT] = hexDigits[VERSION]!;

let time = 0;
let counter = 0;
let used = DRAWN;

/**
 * A UUID of version 7 (RFC 9562, section 5.7): unguessable, and later ones sort behind earlier ones of this process,
 * so that a database appends them to its indexes instead of scattering them. Written into one buffer, digit by digit:
 * joined of pieces it would cost several times as much.
 */
export function orderedUuid(): string {
  counter += 1;
  const now = Date.now();
  // When a millisecond is used up, or the clock was set back, the count goes on in the next one after the last.
  if (now > time) startMillisecond(now);
  else if (counter === MAX_PER_MILLISECOND) startMillisecond(time + 1);
  text[COUNTER_AT] = hexDigits[counter >> 8]!;
  writeByte(counter & 0xff, COUNTER_AT + 1);
  if (used === DRAWN) {
    randomFillSync(random);
    used = 0;
  }
  for (let index = 0; index < PER_ID; index += 1) writeByte(random[used + index]!, randomAt[index]!);
  // The variant: the first digit of the fourth group is 8, 9, a or b.
  text[randomAt[0]] = hexDigits[8 + (random[used]! >> 6)]!;
  used += PER_ID;
  return text.toString("latin1");
}

function startMillisecond(at: number): void {
  time = at;
  counter = 0;
  const upper = Math.floor(at / 2 ** 24);
  const lower = at - upper * 2 ** 24;
  writeByte(upper >> 16, 0);
  writeByte((upper >> 8) & 0xff, 2);
  writeByte(upper & 0xff, 4);
  writeByte(lower >> 16, 6);
  writeByte((lower >> 8) & 0xff, 9);
  writeByte(lower & 0xff, 11);
}

function writeByte(byte: number, at: number): void {
  text[at] = hexDigits[byte >> 4]!;
  text[at + 1] = hexDigits[byte & 15]!;
}
