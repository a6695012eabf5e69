/** A plain text within quotes in JSON: no quote, escape or control character is in it, so that it stands for itself. */
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y;

/** What may be another one in an event that is otherwise the same as the one before. */
type Hole = "text" | "number" | "padding";

/** A member with a text that means nothing, by which OpenAI hides how long its events are. */
const PADDING = '"obfuscation":"';
const NUMBER_NAME = '"sequence_number"';

/**
 * Recognises an event that differs from the one before in nothing but the text that it adds, and in its number where events have
 * one: most of a stream are such. They need not be parsed.
 */
export class RepeatedEvent {
  #parts: readonly string[] = [];
  #holes: readonly Hole[] = [];

  /**
   * @param frame an event that was parsed
   * @param text the one text that it adds; nothing for an event that others must not be compared with
   * @param number the value of its `sequence_number`
   */
  remember(frame: string, text: string | undefined, number: number | undefined): void {
    this.#parts = [];
    if (text === undefined || frame.includes("\\") || frame.includes("\ufeff")) return;
    const places: { readonly hole: Hole; readonly at: number; readonly end: number }[] = [];
    const place = (hole: Hole, before: string, value: string, after: string): boolean => {
      const found = frame.indexOf(before + value + after);
      if (found === -1 || frame.indexOf(before + value + after, found + 1) !== -1) return false;
      const at = found + before.length;
      places.push({ hole, at, end: at + value.length });
      return true;
    };
    // A value that stands in several places does not say which of them is meant.
    if (!place("text", '"', text, '"')) return;
    if (number !== undefined) {
      const isNamedOnce = frame.indexOf(NUMBER_NAME) === frame.lastIndexOf(NUMBER_NAME);
      if (!isNamedOnce || !place("number", `${NUMBER_NAME}:`, String(number), "")) return;
    }
    const padding = frame.indexOf(PADDING);
    if (padding !== -1) {
      const at = padding + PADDING.length;
      if (!place("padding", PADDING, frame.slice(at, frame.indexOf('"', at)), '"')) return;
    }
    places.sort((one, other) => one.at - other.at);
    const ends = [0, ...places.map(({ end }) => end)];
    this.#holes = places.map(({ hole }) => hole);
    this.#parts = ends.map((end, index) => frame.slice(end, places[index]?.at));
  }

  /**
   * @param number that the event must have
   * @returns characters of the text that the event adds; nothing where it is another event
   */
  addedBy(frame: string, number: number | undefined): number | undefined {
    const parts = this.#parts;
    if (parts.length === 0 || !hasPart(frame, parts[0]!, 0)) return undefined;
    let at = parts[0]!.length;
    let added = 0;
    for (let index = 1; index < parts.length; index += 1) {
      const hole = this.#holes[index - 1];
      const end = hole === "number" ? endOfNumber(frame, at, number!) : endOfText(frame, at);
      if (end === -1 || !hasPart(frame, parts[index]!, end)) return undefined;
      if (hole === "text") added = end - at;
      at = end + parts[index]!.length;
    }
    return at === frame.length ? added : undefined;
  }
}

function endOfText(frame: string, at: number): number {
  PLAIN_TEXT.lastIndex = at;
  PLAIN_TEXT.test(frame);
  return PLAIN_TEXT.lastIndex;
}

function endOfNumber(frame: string, at: number, number: number): number {
  const text = String(number);
  return hasPart(frame, text, at) ? at + text.length : -1;
}

/** The same as `startsWith`, in a third of its time. */
function hasPart(frame: string, part: string, at: number): boolean {
  return frame.slice(at, at + part.length) === part;
}
