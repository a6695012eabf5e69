/** Sides of a picture in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What a picture counts when its size is not known, such as one behind an address: a middling one. */
const unknownSize: ImageSize = { width: 1024, height: 1024 };
/** Bytes that hold the size in all formats, as base64 text; a JPEG's may come after its metadata. */
const HEAD_CHARACTERS = 262_144;

/**
 * Tokens of a picture by Anthropic's published formula, width x height / 750, after scaling it down to 1568 pixels on
 * its long side.
 */
export function anthropicImageTokens(size: ImageSize = unknownSize): number {
  const scale = Math.min(1, 1568 / Math.max(size.width, size.height));
  return Math.min(1600, Math.ceil((size.width * scale * size.height * scale) / 750));
}

/**
 * Tokens of a picture by OpenAI's published formula: 85, and 170 for each tile of 512 pixels after scaling it into
 * 2048 x 2048 and its short side down to 768; 85 with low detail.
 */
export function openaiImageTokens(size: ImageSize = unknownSize, detail?: unknown): number {
  if (detail === "low") return 85;
  const fit = Math.min(1, 2048 / Math.max(size.width, size.height));
  const short = Math.min(1, 768 / (Math.min(size.width, size.height) * fit));
  const [width, height] = [size.width * fit * short, size.height * fit * short];
  return 85 + 170 * Math.ceil(width / 512) * Math.ceil(height / 512);
}

/** Tokens of a picture by Gemini's published formula: 258 for a small one, else 258 for each tile of 768 pixels. */
export function geminiImageTokens(size: ImageSize = unknownSize): number {
  if (size.width <= 384 && size.height <= 384) return 258;
  return 258 * Math.ceil(size.width / 768) * Math.ceil(size.height / 768);
}

/** The size of a PNG, GIF, JPEG or WebP, read from its head; `undefined` for anything else. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = Buffer.from(base64.slice(0, HEAD_CHARACTERS), "base64");
  if (bytes.length < 30) return undefined;
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt32BE(0) !== 0x89504e47) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString("latin1", 0, 3) !== "GIF") return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP")
    return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
}

/** Walks the segments up to the start of a frame (SOF0 to SOF15 without the tables between them). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
