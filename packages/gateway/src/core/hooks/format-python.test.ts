import { describe, expect, it } from "vitest";
import { mapAnswerTexts, mapPythonBlocks } from "./format-python.ts";

const upper = (text: string): string => text.toUpperCase();

describe("Python blocks", () => {
  it.each([
    ["a\n```python\nx\n```\nb", "a\n```python\nX\n```\nb"],
    ["~~~ Py title=x\nx\n\ny\n~~~", "~~~ Py title=x\nX\n\nY\n~~~"],
    ["````python3\nx\n```\ny\n````\n", "````python3\nX\n```\nY\n````\n"],
    ["1. a\n   ```python\n   x\n\n     y\n   ```\n", "1. a\n   ```python\n   X\n\n     Y\n   ```\n"],
    ["```python\r\nx\r\n```\r\n", "```python\r\nX\r\n```\r\n"],
    ["```py\n```\n```py\nx\n```", "```py\n```\n```py\nX\n```"],
  ])("%j are mapped", (text, expected) => {
    expect(mapPythonBlocks(text, upper)).toBe(expected);
  });

  it.each([
    "```\nx\n```",
    "```js\nx\n```",
    "````markdown\n```python\nx\n```\n````",
    "```python\nx",
    "```python x ```\ny\n```\n",
    "  ```python\n  x\ny\n  ```",
    "```pythonic\nx\n```",
    "x",
  ])("%j has none to map", (text) => {
    expect(mapPythonBlocks(text, upper)).toBe(text);
  });
});

describe("texts of answers", () => {
  it("are left alone where others refer to their positions, and so are other members", () => {
    for (const answer of [
      { choices: [{ message: { content: "a", annotations: [{ start_index: 0 }] } }] },
      { choices: [{ message: { content: "a" }, logprobs: { content: [] } }] },
      { choices: [{ message: { content: null, tool_calls: [{ function: { arguments: "a" } }] } }] },
      { object: "response", output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "a" }] }] },
      {
        object: "response",
        output: [{ type: "message", content: [{ type: "output_text", text: "a", annotations: [{}] }] }],
      },
      { type: "message", content: [{ type: "thinking", thinking: "a", signature: "b" }] },
      { object: "list", data: [{ text: "a" }] },
    ])
      expect(mapAnswerTexts(answer, upper)).toBe(answer);
  });

  it("are mapped in all choices and parts", () => {
    expect(
      mapAnswerTexts(
        { choices: [{ message: { content: "a" } }, { message: { content: [{ type: "text", text: "b" }] } }] },
        upper,
      ),
    ).toEqual({
      choices: [{ message: { content: "A" } }, { message: { content: [{ type: "text", text: "B" }] } }],
    });
  });
});
