import { expect, it } from "vitest";
import { exempt, lackingQuestions, questions } from "../../../bench/sizes/questions.ts";
import { everyOperation } from "./rules/everything.ts";

/** The lists and reports that `npm run bench:sizes` measures, against the route table. */
const operations = await everyOperation();

it("have a question each in bench/sizes/questions.ts, or a reason why they need none", () => {
  expect(lackingQuestions(operations)).toEqual([]);
});

it("are operations that there are, each either asked or exempt", () => {
  const known = new Set(operations.map(({ id }) => id));
  const named = [...Object.keys(questions), ...Object.keys(exempt)];
  expect(named.filter((id) => !known.has(id))).toEqual([]);
  expect(named.filter((id, at) => named.indexOf(id) < at)).toEqual([]);
});
