import { describeError } from "../log/describe-error.ts";

/** What the two ends of a channel send each other. */
export type Packet =
  | { readonly topic: string; readonly content: unknown; readonly ask?: number }
  | { readonly answer: number; readonly content?: unknown; readonly error?: string };

/** Takes what the other end says about a topic; what it returns is the answer where one was asked for. */
export type TopicHandler = (content: never) => unknown;

interface Waiting {
  resolve(content: unknown): void;
  reject(error: Error): void;
}

/** The other end is gone, or could not answer. */
class ChannelError extends Error {}

/**
 * One end of the connection between two processes of one gateway. What one turn of the event loop has to say goes in
 * one message, because each costs both processes a system call and a turn.
 */
export class Channel {
  readonly #send: (packets: readonly Packet[]) => void;
  readonly #handlers = new Map<string, TopicHandler>();
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #packets: Packet[] = [];
  #isClosed = false;

  constructor(send: (packets: readonly Packet[]) => void) {
    this.#send = send;
  }

  /** Handles a topic from now on. */
  on(topic: string, handler: TopicHandler): void {
    this.#handlers.set(topic, handler);
  }

  /** Says something that needs no answer; nothing happens once the other end is gone. */
  tell(topic: string, content?: unknown): void {
    this.#add({ topic, content });
  }

  /** @throws ChannelError when the other end fails, or ends before it answers */
  ask<Answer>(topic: string, content?: unknown): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new ChannelError(`nobody is there to ask for ${topic}`));
    this.#asked += 1;
    const ask = this.#asked;
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(ask, { resolve: resolve as Waiting["resolve"], reject });
      this.#add({ topic, content, ask });
    });
  }

  /** Takes what the other end has sent; topics that nobody handles are left alone. */
  receive(packets: readonly Packet[]): void {
    for (const packet of packets) {
      if ("answer" in packet) this.#settle(packet);
      else void this.#handle(packet);
    }
  }

  /** The other end is gone. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new ChannelError("the other process ended"));
    this.#waiting.clear();
  }

  async #handle({ topic, content, ask }: Extract<Packet, { topic: string }>): Promise<void> {
    try {
      const answer = await this.#handlers.get(topic)?.(content as never);
      if (ask !== undefined) this.#add({ answer: ask, content: answer });
    } catch (error) {
      if (ask !== undefined) this.#add({ answer: ask, error: describeError(error) });
    }
  }

  #settle({ answer, content, error }: Extract<Packet, { answer: number }>): void {
    const waiting = this.#waiting.get(answer);
    this.#waiting.delete(answer);
    if (error === undefined) waiting?.resolve(content);
    else waiting?.reject(new ChannelError(error));
  }

  #add(packet: Packet): void {
    if (this.#isClosed) return;
    if (this.#packets.length === 0) setImmediate(() => this.#flush());
    this.#packets.push(packet);
  }

  #flush(): void {
    const packets = this.#packets;
    this.#packets = [];
    if (!this.#isClosed) this.#send(packets);
  }
}
