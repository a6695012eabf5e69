const PIECE_BYTES = 64 * 1024;
const BRAND = "isom";
const FILE_TYPE_BYTES = 24;
const DATA_HEADER_BYTES = 8;

/** The smallest file `videoBytes` can give. */
export const MIN_VIDEO = FILE_TYPE_BYTES + DATA_HEADER_BYTES;

/**
 * Bytes `start` to `end` (both included) of a file that is laid out as MP4 (ISO 14496-12): a `ftyp` box, then an
 * `mdat` box with a counting pattern, so that a test recognises any byte by its place.
 */
export function* videoBytes(size: number, start: number, end: number): Generator<Uint8Array> {
  const head = header(size);
  for (let from = start; from <= end; from += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, end - from + 1));
    for (let index = 0; index < piece.length; index++) {
      const place = from + index;
      piece[index] = place < head.length ? (head[place] ?? 0) : place % 251;
    }
    yield piece;
  }
}

function header(size: number): Buffer {
  const head = Buffer.alloc(MIN_VIDEO);
  head.writeUInt32BE(FILE_TYPE_BYTES, 0);
  head.write(`ftyp${BRAND}`, 4, "latin1");
  head.writeUInt32BE(512, 12);
  head.write(`${BRAND}mp42`, 16, "latin1");
  head.writeUInt32BE(size - FILE_TYPE_BYTES, FILE_TYPE_BYTES);
  head.write("mdat", FILE_TYPE_BYTES + 4, "latin1");
  return head;
}
