import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cell, notebook, openPage } from "../test/fake-page.ts";

const sourcesOf = ({ content }: ReturnType<typeof notebook>): string[] =>
  content.widgets.map(({ model }) => model.sharedModel.getSource());

/** Each look at the clock is a second later, so that each cell takes a slice. */
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
});
afterEach(() => vi.restoreAllMocks());

/** Formats all cells, and does something else whenever the page has its turn; returns how often it had. */
async function formatAll(
  panel: ReturnType<typeof notebook>,
  onTurn: (turn: number) => void = () => undefined,
) {
  const page = await openPage(panel);
  let turns = 0;
  let next: NodeJS.Immediate;
  const wait = (): void => {
    next = setImmediate(() => {
      onTurn(++turns);
      wait();
    });
  };
  wait();
  await page.run("jetblack:format-all-cells");
  clearImmediate(next!);
  return { turns, status: page.status() };
}

const fourCells = () => notebook([1, 2, 3, 4].map((number) => cell(`x=${number}`)));

test("the page has its turn between the cells of a long notebook", async () => {
  const panel = fourCells();
  const { turns, status } = await formatAll(panel);
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(sourcesOf(panel)).toEqual(["x = 1", "x = 2", "x = 3", "x = 4"]);
  expect(status).toBe("Jetblack: formatted 4 cells");
});

test("a cell that goes in the meantime stays as it is, and what is typed is formatted", async () => {
  const panel = fourCells();
  const last = panel.content.widgets[3]!;
  await formatAll(panel, (turn) => {
    if (turn > 1) return;
    panel.content.widgets = panel.content.widgets.slice(0, 3);
    panel.content.widgets[2]!.model.sharedModel.updateSource(0, 3, "y=3");
  });
  expect(sourcesOf(panel)).toEqual(["x = 1", "x = 2", "y = 3"]);
  expect(last.model.sharedModel.getSource()).toBe("x=4");
});

test("nothing more is formatted once the panel is closed", async () => {
  const panel = fourCells();
  await formatAll(panel, () => {
    panel.isDisposed = true;
  });
  expect(sourcesOf(panel)[0]).toBe("x = 1");
  expect(sourcesOf(panel)[3]).toBe("x=4");
});

test("a second command waits for the first", async () => {
  const panel = fourCells();
  const page = await openPage(panel);
  const said: unknown[] = [];
  const run = () => page.run("jetblack:format-all-cells").then(() => said.push(page.status()));
  await Promise.all([run(), run()]);
  expect(said).toEqual(["Jetblack: formatted 4 cells", "Jetblack: formatted already"]);
});
