import { kindName } from "../../syntax/kind-names.ts";
import { AstNode, type AstSink } from "./ast-sink.ts";

const nodeNames = new Map<number, string>(Object.entries(AstNode).map(([name, number]) => [number, name]));

/** The tree as indented text, one call a line, to show people where two trees part. */
export class TextSink implements AstSink {
  readonly #lines: string[] = [];
  #depth = 0;

  open(node: number): void {
    this.#add(`${nodeNames.get(node) ?? kindName(node)}(`);
    this.#depth++;
  }

  close(): void {
    this.#depth--;
    this.#add(")");
  }

  value(text: string): void {
    this.#add(JSON.stringify(text));
  }

  kind(kind: number): void {
    this.#add(kindName(kind) ?? String(kind));
  }

  get text(): string {
    return this.#lines.join("");
  }

  #add(text: string): void {
    this.#lines.push(`${"  ".repeat(this.#depth)}${text}\n`);
  }
}
