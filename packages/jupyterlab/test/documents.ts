/** The notebook that the test drives. */

const output = { output_type: "stream", name: "stdout", text: ["kept\n"] };

/** The sources of its cells; all but the fourth are code. */
export const sources = [
  "a = 1",
  "%time x = { 'a':1 }\n!ls   *.py\nprint( 'x' );",
  "%%bash\necho   'x'   ;   ls",
  "x = { 'a':1 }",
  "y  = 1\nx = (",
  "z = [1,2,\n3]",
] as const;

/** What becomes of them. */
export const formattedSources = [
  "a = 1",
  "%time x = { 'a':1 }\n!ls   *.py\nprint(\"x\");",
  sources[2],
  sources[3],
  sources[4],
  "z = [1, 2, 3]",
] as const;

/** Index of the cell that has an output. */
const WITH_OUTPUT = 1;

/** A notebook's file, with a kernel that is here for Python alone. */
export function notebook(language = "python"): string {
  const cells = sources.map((source, index) => {
    const outputs = index === WITH_OUTPUT ? [output] : [];
    const kind =
      index === 3 ? { cell_type: "markdown" } : { cell_type: "code", execution_count: null, outputs };
    return { id: `cell-${index}`, metadata: {}, ...kind, source: source.split(/(?<=\n)/) };
  });
  const kernel = language === "python" ? "python3" : language;
  const metadata = {
    kernelspec: { display_name: kernel, language, name: kernel },
    language_info: { name: language },
  };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}

/** A notebook as long as some are. */
export const LONG = 500;

export function longNotebook(): string {
  const cells = Array.from({ length: LONG }, (_, index) => ({
    id: `cell-${index}`,
    metadata: {},
    cell_type: "code",
    execution_count: null,
    outputs: [],
    source: `for  row in load( 'data-${index}.csv' ) :\n    print( row['a'],{ 'key':${index} },f"{row['c']!r}" )`,
  }));
  const { metadata } = JSON.parse(notebook()) as { metadata: object };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}

/** The sources and the outputs in a notebook's file. */
export function contentsOf(file: string): { sources: string[]; outputs: unknown[] } {
  const { cells } = JSON.parse(file) as {
    cells: { source: string | string[]; outputs?: { text: string | string[] }[] }[];
  };
  const joined = (text: string | string[]): string => [text].flat().join("");
  return {
    sources: cells.map(({ source }) => joined(source)),
    outputs: cells.flatMap(({ outputs = [] }) => outputs.map(({ text }) => joined(text))),
  };
}
