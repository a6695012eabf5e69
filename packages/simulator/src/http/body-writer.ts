import type { Writable } from "node:stream";
import type { Behaviour } from "../faults/behaviour.ts";
import type { Received } from "../journal/received.ts";
import type { Piece } from "./reply.ts";
import { wait } from "./wait.ts";

/** Without pacing, events of one turn go out together up to this size, which spares system calls. */
const COALESCED = 8 * 1024;

/**
 * Writes a body in the pieces and at the pace a behaviour asks for, and honours back-pressure.
 * `write` resolves to false once no more can be sent: the caller left, or the `cut` is reached.
 */
export class BodyWriter {
  readonly #response: Writable;
  readonly #received: Received;
  readonly #delay: number;
  readonly #size: number | undefined;
  readonly #cut: number | undefined;
  #pending = "";
  #rest: Buffer = Buffer.alloc(0);
  #sent = 0;

  constructor(response: Writable, received: Received, behaviour: Behaviour) {
    const slow = behaviour.fault?.kind === "slow";
    this.#response = response;
    this.#received = received;
    this.#delay = slow ? (behaviour.fault?.ms ?? 1000) : (behaviour.chunkDelayMs ?? 0);
    this.#size = behaviour.chunkBytes;
    this.#cut = behaviour.fault?.kind === "cut" ? (behaviour.fault.bytes ?? 0) : undefined;
  }

  async write(piece: Piece): Promise<boolean> {
    if (this.#delay === 0 && this.#size === undefined && this.#cut === undefined) return this.#plain(piece);
    const bytes = typeof piece === "string" ? Buffer.from(piece) : Buffer.from(piece);
    if (this.#size === undefined) return this.#send(bytes);
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let from = 0;
    while (this.#rest.length - from >= this.#size) {
      if (!(await this.#send(this.#rest.subarray(from, from + this.#size)))) return false;
      from += this.#size;
    }
    this.#rest = this.#rest.subarray(from);
    return true;
  }

  /** Sends what is held back; the response itself stays open. */
  async flush(): Promise<boolean> {
    if (this.#pending !== "") {
      const text = this.#pending;
      this.#pending = "";
      return this.#put(text);
    }
    if (this.#rest.length === 0) return !this.#response.destroyed;
    const bytes = this.#rest;
    this.#rest = Buffer.alloc(0);
    return this.#send(bytes);
  }

  async #plain(piece: Piece): Promise<boolean> {
    if (typeof piece !== "string") return (await this.flush()) && this.#put(piece);
    this.#pending += piece;
    return this.#pending.length < COALESCED ? !this.#response.destroyed : this.flush();
  }

  async #send(bytes: Buffer): Promise<boolean> {
    if (this.#sent > 0) await wait(this.#response, this.#delay);
    if (this.#cut === undefined || this.#sent + bytes.length < this.#cut) {
      this.#sent += bytes.length;
      return this.#put(bytes);
    }
    await this.#put(bytes.subarray(0, this.#cut - this.#sent));
    // The bytes must be on the wire before the socket dies, else fewer than asked for arrive.
    await new Promise((resolve) => setTimeout(resolve, 10));
    this.#response.destroy();
    return false;
  }

  async #put(piece: Piece): Promise<boolean> {
    const response = this.#response;
    if (response.destroyed) return false;
    this.#received.chunks += 1;
    if (response.write(piece)) return true;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        response.off("drain", finish);
        response.off("close", finish);
        resolve();
      };
      response.on("drain", finish);
      response.on("close", finish);
    });
    return !response.destroyed;
  }
}
