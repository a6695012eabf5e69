import { expect, it } from "vitest";
import { newCallRecord, noteShownId, withShownIds } from "./call-record.ts";

it("puts the caller's ids in place of whole ids alone, each once", () => {
  const record = newCallRecord("acompletion");
  for (const [providerId, id] of [
    ["x", "video_ours"],
    ["abc", "x"],
    ["abc-1", "file-ours"],
    ["models/a.b/operations/1", "video_other"],
  ] as const)
    noteShownId(record, providerId, id);
  const said =
    "The text of 'x' has expired: abc, abc-1 (abc_1, abcd) and models/a.b/operations/1; \"x\" ex post";
  expect(withShownIds(record, said)).toBe(
    "The text of 'video_ours' has expired: x, file-ours (abc_1, abcd) and video_other; \"video_ours\" ex post",
  );
});
