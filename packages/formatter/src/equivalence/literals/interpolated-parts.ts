/** A part of an f-string's or t-string's body. */
export type InterpolatedPart =
  | { readonly kind: "text"; readonly source: string }
  | {
      readonly kind: "field";
      /** The expression as written, white space around it included. */
      readonly expression: string;
      /** Whether `=` after the expression asks for its text. */
      readonly isDebug: boolean;
      /** With the white space before it, which is an error. */
      readonly conversion: string;
      /** The parts of the format after the colon; `undefined` without a colon. */
      readonly format: readonly InterpolatedPart[] | undefined;
    };

/** Splits the body of an interpolated literal into its texts and replacement fields; `{{` stays doubled in texts. */
export function interpolatedParts(body: string, isRaw: boolean): InterpolatedPart[] {
  return new Splitter(body, isRaw).parts(false);
}

class Splitter {
  readonly #body: string;
  readonly #isRaw: boolean;
  #at = 0;

  constructor(body: string, isRaw: boolean) {
    this.#body = body;
    this.#isRaw = isRaw;
  }

  parts(inFormat: boolean): InterpolatedPart[] {
    const parts: InterpolatedPart[] = [];
    let start = this.#at;
    const flush = (): void => {
      if (this.#at > start) parts.push({ kind: "text", source: this.#body.slice(start, this.#at) });
    };
    while (this.#at < this.#body.length) {
      const character = this.#body[this.#at];
      if (character === "\\" && !this.#isRaw) this.#skipEscape();
      else if (character === "{" && this.#body[this.#at + 1] === "{" && !inFormat) this.#at += 2;
      else if (character === "}" && inFormat) break;
      else if (character === "{") {
        flush();
        parts.push(this.#field());
        start = this.#at;
      } else this.#at++;
    }
    flush();
    return parts;
  }

  /** `\N{...}` has braces that open no field; `\{` has one that does. */
  #skipEscape(): void {
    const named = /\\N\{[^{}]*\}/y;
    named.lastIndex = this.#at;
    if (named.test(this.#body)) this.#at = named.lastIndex;
    else this.#at += this.#body[this.#at + 1] === "{" || this.#body[this.#at + 1] === "}" ? 1 : 2;
  }

  #field(): InterpolatedPart {
    const start = ++this.#at;
    this.#skipExpression();
    const raw = this.#body.slice(start, this.#at);
    const isDebug = /[^=!<>]=\s*$/.test(raw);
    const expression = isDebug ? raw.replace(/=\s*$/, "") : raw;
    let conversion = "";
    if (this.#body[this.#at] === "!") {
      const from = ++this.#at;
      while (this.#at < this.#body.length && !":}".includes(this.#body[this.#at]!)) this.#at++;
      conversion = this.#body.slice(from, this.#at).trimEnd();
    }
    let format: InterpolatedPart[] | undefined;
    if (this.#body[this.#at] === ":") {
      this.#at++;
      format = this.parts(true);
    }
    this.#at++;
    return { kind: "field", expression: isDebug ? raw : expression, isDebug, conversion, format };
  }

  /** Moves to the `!`, `:` or `}` that ends the expression, over brackets and strings. */
  #skipExpression(): void {
    let depth = 0;
    while (this.#at < this.#body.length) {
      const character = this.#body[this.#at]!;
      if (character === '"' || character === "'") {
        this.#skipString(character);
        continue;
      }
      if (depth === 0 && (character === "}" || character === ":")) return;
      if (depth === 0 && character === "!" && this.#body[this.#at + 1] !== "=") return;
      if ("([{".includes(character)) depth++;
      else if (")]}".includes(character)) depth--;
      else if (character === "#") this.#skipComment();
      this.#at++;
    }
  }

  #skipComment(): void {
    const end = this.#body.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#body.length : end;
  }

  #skipString(quote: string): void {
    const isTriple = this.#body.startsWith(quote.repeat(3), this.#at);
    const closing = isTriple ? quote.repeat(3) : quote;
    this.#at += closing.length;
    while (this.#at < this.#body.length && !this.#body.startsWith(closing, this.#at))
      this.#at += this.#body[this.#at] === "\\" ? 2 : 1;
    this.#at += closing.length;
  }
}
