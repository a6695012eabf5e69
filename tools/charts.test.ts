import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawnCharts } from "../bench/charts/main.ts";

it.each([...drawnCharts()])("%s shows the measured figures; `npm run bench:charts` draws it", (file, svg) => {
  expect(readFileSync(file, "utf8")).toBe(svg);
});
