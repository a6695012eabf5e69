/**
 * Nodes of the abstract tree that have no kind of their own in the concrete one, numbered behind the kinds.
 * Everything else is opened by its `Kind`.
 */
export const AstNode = {
  body: 1000,
  tuple: 1001,
  list: 1002,
  listComprehension: 1003,
  generator: 1004,
  braces: 1005,
  binary: 1006,
  power: 1007,
  await: 1008,
  trailed: 1009,
  for: 1010,
  if: 1011,
  with: 1012,
  string: 1013,
  bytes: 1014,
  template: 1015,
  field: 1016,
  format: 1017,
} as const;

/**
 * Receives a syntax tree in pre-order. Two trees are the same if and only if they send the same calls; the hash of
 * them stands for the tree where nobody needs to see it.
 */
export interface AstSink {
  /** @param node an `AstNode` or a `Kind`. */
  open(node: number): void;
  close(): void;
  /** A name, operator or literal inside the open node. */
  value(text: string): void;
  /** A leaf's kind, where its text adds nothing. */
  kind(kind: number): void;
}

const CLOSE = 2000;
const TEXT = 3000;

/** Two independent 32-bit hashes of all calls. */
export class HashSink implements AstSink {
  #first = 0x811c9dc5;
  #second = 0x2545f491;

  open(node: number): void {
    this.#mix(node);
  }

  close(): void {
    this.#mix(CLOSE);
  }

  value(text: string): void {
    this.#mix(TEXT + text.length);
    for (let i = 0; i < text.length; i++) this.#mix(text.charCodeAt(i));
  }

  kind(kind: number): void {
    this.#mix(kind);
  }

  /** Whether the other saw the same calls. */
  equals(other: HashSink): boolean {
    return this.#first === other.#first && this.#second === other.#second;
  }

  #mix(number: number): void {
    this.#first = Math.imul(this.#first ^ number, 0x01000193);
    const turned = (this.#second << 13) | (this.#second >>> 19);
    this.#second = (Math.imul(turned ^ number, 5) + 0x6b64e654) | 0;
  }
}
