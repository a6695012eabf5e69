import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";

const textParts = /^(text|reasoning)-(start|delta|end)$/;

/**
 * Has one text or thought open at a time. The library leaves a text open while a tool is called, and goes on with it when
 * Gemini says more after the call; the callers' formats know no block that goes on behind another one.
 */
export class OneBlock {
  #open: { readonly kind: string; readonly id: string; readonly shown: string } | undefined;
  #blocks = 0;

  /** The parts that stand for one of the library's. */
  parts(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart[] {
    if (part.type === "tool-input-start" || part.type === "tool-call" || part.type === "file")
      return [...this.#close(), part];
    const [, kind, step] = textParts.exec(part.type) ?? [];
    if (kind === undefined || !("id" in part)) return [part];
    const { id } = part;
    if (step === "start") return [...this.#close(), { ...part, id: this.#begin(kind, id) }];
    if (this.#open?.id === id && this.#open.kind === kind) {
      const shown = { ...part, id: this.#open.shown };
      if (step === "end") this.#open = undefined;
      return [shown];
    }
    // An empty piece is no reason to begin again.
    if (step === "end" || (part.type === "text-delta" && part.delta === "")) return [];
    const before = this.#close();
    return [
      ...before,
      { type: `${kind}-start`, id: this.#begin(kind, id) } as LanguageModelV3StreamPart,
      { ...part, id: this.#open!.shown },
    ];
  }

  #begin(kind: string, id: string): string {
    const shown = String(this.#blocks++);
    this.#open = { kind, id, shown };
    return shown;
  }

  #close(): LanguageModelV3StreamPart[] {
    if (this.#open === undefined) return [];
    const { kind, shown } = this.#open;
    this.#open = undefined;
    return [{ type: `${kind}-end`, id: shown } as LanguageModelV3StreamPart];
  }
}
