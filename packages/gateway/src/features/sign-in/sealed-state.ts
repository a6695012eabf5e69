import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { SealedText } from "../../platform/store/sealed-text.ts";

/** What the gateway gives to a browser and reads again, at any replica: encrypted, for one purpose, for a time. */
export class SealedState {
  readonly #seal: SealedText;

  constructor(seal: SealedText) {
    this.#seal = seal;
  }

  /** @param seconds for which it is accepted */
  seal(purpose: string, value: JsonObject, seconds: number): string {
    const text = this.#seal.seal(JSON.stringify({ purpose, until: Date.now() + seconds * 1000, value }));
    return Buffer.from(text).toString("base64url");
  }

  /** What was sealed for this purpose; `undefined` for anything else. */
  open(purpose: string, text: string): JsonObject | undefined {
    const stored = Buffer.from(text, "base64url").toString();
    const opened = this.#seal.open(stored);
    // What was never sealed comes back as it is.
    if (opened === undefined || opened === stored) return undefined;
    const state = parseJsonObject(opened);
    if (state?.purpose !== purpose || Number(state.until) < Date.now()) return undefined;
    return isJsonObject(state.value) ? state.value : undefined;
  }
}
