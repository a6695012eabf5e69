import { hashText } from "../util/hash.ts";

/** A unit vector that follows from a text: equal texts, equal vectors. */
export function embeddingVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  let state = hashText(text) || 1;
  let squares = 0;
  for (let index = 0; index < dimensions; index++) {
    // xorshift32, enough for vectors that differ between texts.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const value = state / 0x80000000;
    vector[index] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares) || 1;
  for (let index = 0; index < dimensions; index++) vector[index] = (vector[index] ?? 0) / length;
  return vector;
}
