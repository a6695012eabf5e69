import { expect, test } from "vitest";
import { answerRequest } from "./answer-request.ts";

const mode = {
  targetVersions: [],
  lineLength: 88,
  stringNormalization: true,
  isPyi: false,
  isIpynb: false,
  magicTrailingComma: true,
  pythonCellMagics: [],
  preview: false,
  unstable: false,
  enabledFeatures: [],
};

test.each(["format_str", "format_file_contents", "format_cell"])(
  "%s refuses an encoding that nobody knows, as Black's function does",
  (operation) => {
    const ask = (encoding: string): unknown =>
      answerRequest(
        JSON.stringify({
          operation,
          source: `# coding: ${encoding}\nx  = 1\n`,
          mode,
          fast: false,
          lines: [],
        }),
      );
    expect(ask("nonsense")).toEqual({
      failure: { exception: "SyntaxError", message: "unknown encoding: nonsense" },
    });
    expect(ask("latin-1")).toEqual({ output: expect.stringMatching(/^# coding: latin-1\nx = 1\n?$/) });
  },
);
