import { createInterface } from "node:readline";
import { warmUp } from "./files/warm-up.ts";
import { productVersion, styleVersion } from "./mode/versions.ts";
import { answerRequest } from "./service/answer-request.ts";

/**
 * Formats what the Python package sends (`python/jetblack/_service.py`): a JSON object per line on standard input, its
 * answer as one line on standard output, in order. The first line says which versions answer. Ends with its input, and
 * so with the process that started it.
 */
function main(): void {
  // An interrupt is meant for the Python program, which decides whether it ends.
  process.on("SIGINT", () => undefined);
  process.stdout.on("error", () => process.exit(0));
  writeLine({ version: productVersion, style: styleVersion });
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => writeLine({ answer: answerRequest(line) }));
  void warmUp();
}

function writeLine(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

main();
