import { type GatewayError, requestTooLarge } from "../../contract/errors.ts";

/** Room for what is put into one request, which may name a large file in a few bytes, and do so thousands of times. */
export class ByteRoom {
  readonly limit: number;
  readonly #refusal: (mebibytes: number) => string;
  #left: number;

  /**
   * @param limit bytes of everything together
   * @param refusal tells what is larger than that
   */
  constructor(limit: number, refusal: (mebibytes: number) => string) {
    this.limit = limit;
    this.#refusal = refusal;
    this.#left = limit;
  }

  /** @throws GatewayError 413 when there is no room for so many bytes more; not to be tried elsewhere */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw this.#tooLarge();
  }

  #tooLarge(): GatewayError {
    return requestTooLarge(this.#refusal(+(this.limit / 2 ** 20).toFixed(1)));
  }
}
