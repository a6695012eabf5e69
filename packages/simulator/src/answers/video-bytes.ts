const pieceBytes = 64 * 1024;
const brand = "isom";
const fileTypeBytes = 24;
const dataHeaderBytes = 8;

/** The smallest file `videoBytes` can give. */
export const smallestVideo = fileTypeBytes + dataHeaderBytes;

/**
 * Bytes `start` to `end` (both included) of a file that is laid out as MP4 (ISO 14496-12): a `ftyp` box, then an
 * `mdat` box with a counting pattern, so that a test recognises any byte by its place.
 */
export function* videoBytes(size: number, start: number, end: number): Generator<Uint8Array> {
  const head = header(size);
  for (let from = start; from <= end; from += pieceBytes) {
    const piece = new Uint8Array(Math.min(pieceBytes, end - from + 1));
    for (let index = 0; index < piece.length; index++) {
      const place = from + index;
      piece[index] = place < head.length ? (head[place] ?? 0) : place % 251;
    }
    yield piece;
  }
}

function header(size: number): Buffer {
  const head = Buffer.alloc(smallestVideo);
  head.writeUInt32BE(fileTypeBytes, 0);
  head.write(`ftyp${brand}`, 4, "latin1");
  head.writeUInt32BE(512, 12);
  head.write(`${brand}mp42`, 16, "latin1");
  head.writeUInt32BE(size - fileTypeBytes, fileTypeBytes);
  head.write("mdat", fileTypeBytes + 4, "latin1");
  return head;
}
