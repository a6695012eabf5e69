import { EVENT_ID, type Event, parseEvents, YAMLException } from "js-yaml";

/** Lines of one text that are joined at most. */
const MAX_JOINED = 200;

/** A text as it is read, of the same length, so that every place in it stays where it is. */
export interface ReadEvents {
  readonly text: string;
  readonly events: Event[];
}

/**
 * The events of a YAML text in which brackets may close further to the left than YAML has it, such as
 *
 *     guardrailConfig: {
 *       "trace": "disabled"
 *     }
 *
 * below a list: Python's YAML looks at no indentation between brackets. Such a line is joined to the one before.
 * @throws YAMLException as `parseEvents` of the text itself
 */
export function parseFlowLines(text: string, options: { readonly maxDepth: number }): ReadEvents {
  try {
    return { text, events: parseEvents(text, options) };
  } catch (error) {
    const joined = isDeficient(error) ? joinedLines(text, error, options) : undefined;
    if (joined === undefined) throw error;
    return joined;
  }
}

type Deficient = YAMLException & { readonly mark: { readonly position: number } };

function isDeficient(error: unknown): error is Deficient {
  return (
    error instanceof YAMLException && error.reason === "deficient indentation" && error.mark !== undefined
  );
}

function joinedLines(
  given: string,
  first: Deficient,
  options: { readonly maxDepth: number },
): ReadEvents | undefined {
  let text = given;
  const joints: number[] = [];
  for (let fault = first; joints.length < MAX_JOINED; ) {
    const end = text.lastIndexOf("\n", fault.mark.position - 1);
    if (end <= 0) return undefined;
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = withoutComment(text.slice(start, end));
    text = `${text.slice(0, start)}${line} ${text.slice(end + 1)}`;
    joints.push(end);
    try {
      const events = parseEvents(text, options);
      // Where a text goes on behind the joint, it has spaces there that Python's YAML would leave out.
      return events.some((event) => goesOnAt(event, joints)) ? undefined : { text, events };
    } catch (error) {
      if (!isDeficient(error)) return undefined;
      fault = error;
    }
  }
  return undefined;
}

function goesOnAt(event: Event, joints: readonly number[]): boolean {
  return event.type === EVENT_ID.SCALAR && joints.some((at) => event.valueStart <= at && at < event.valueEnd);
}

/** A line between brackets with spaces in place of its comment. */
function withoutComment(line: string): string {
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    const before = line[at - 1] ?? " ";
    if (quote !== undefined) {
      if (character === "\\" && quote === '"') at += 1;
      else if (character === quote) quote = undefined;
    } else if ((character === '"' || character === "'") && /[\s,:[{]/.test(before)) quote = character;
    else if (character === "#" && /\s/.test(before)) return line.slice(0, at).padEnd(line.length);
  }
  return line;
}
