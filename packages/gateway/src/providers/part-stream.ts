import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";

/**
 * Parts as the neutral model's stream. A part is made when the reader asks for it; a reader that cancels ends the
 * generator and so the upstream call.
 */
export function partStream(
  parts: AsyncGenerator<LanguageModelV3StreamPart>,
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream<LanguageModelV3StreamPart>(
    {
      async pull(controller) {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
