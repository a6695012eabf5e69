import type { Hooks } from "../../../contract/hook.ts";
import { mapAnswerTexts } from "./answer-texts.ts";
import { mapPythonBlocks } from "./python-blocks.ts";

/** Characters of Python that are formatted in one answer: formatting takes the event loop's time. */
const MAX_CODE = 100_000;

/**
 * The built-in hook `format_python`: formats the Python blocks of answers that are not streamed with Jetblack. What is
 * no Python, such as an excerpt or a session with prompts, stays as the model wrote it.
 */
export function formatPython(): Hooks {
  return {
    name: "format_python",
    isPure: true,
    async postCallSuccess(_context, answer) {
      // Only gateways that use the hook load the formatter.
      const { format } = await import("jetblack");
      let left = MAX_CODE;
      const formatBlock = (code: string): string => {
        if (code.length > left) return code;
        left -= code.length;
        try {
          return format(code);
        } catch {
          // An answer with one block as it came is better than none, whatever the reason.
          return code;
        }
      };
      return mapAnswerTexts(answer, (text) => mapPythonBlocks(text, formatBlock));
    },
  };
}
