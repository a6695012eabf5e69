import { expect, it } from "vitest";
import { AnswerNames } from "./answer-names.ts";

function numbered(): AnswerNames {
  let count = 0;
  return new AnswerNames((answerId) => {
    count += 1;
    const id = `${answerId} of caller, ${count}`;
    const issued = { id, providerId: undefined, deploymentId: undefined };
    return { issued, shown: { id, previousId: undefined, conversationId: undefined } };
  });
}

it("issues a stream's ids once, to whoever writes it and to whoever sees it then", () => {
  const names = numbered();
  names.begin();
  const shown = names.writer();
  expect(shown({ id: "a" })).toEqual({ id: "a of caller, 1" });
  expect(names.answer(shown({ id: "a", status: "completed" }))).toEqual({
    id: "a of caller, 1",
    status: "completed",
  });
  expect(names.areWritten).toBe(true);
});

it("forgets what an attempt wrote when another one begins", () => {
  const names = numbered();
  names.begin();
  names.writer()({ id: "a" });
  names.begin();
  expect(names.areWritten).toBe(false);
  expect(names.answer({ id: "b" })).toEqual({ id: "b of caller, 2" });
});
