import { type OptionDefinition, optionTable } from "../mode/options.ts";

export const PROGRAM = "jetblack";

/** First line of the help and of messages about misuse. */
export const usageLine = `Usage: ${PROGRAM} [OPTIONS] SRC ...`;

const COLUMN = 34;
const WIDTH = 90;

/** The text of `--help`. */
export function renderHelp(): string {
  const rows = (optionTable as readonly OptionDefinition[]).map((option) => renderOption(option));
  return `${usageLine}\n\n  Formats Python as Black does, without Python.\n\nOptions:\n${rows.join("")}`;
}

function renderOption(option: OptionDefinition): string {
  const names = [option.short, `--${option.key}`].filter((name) => name !== undefined).join(", ");
  const both = option.opposite === undefined ? names : `${names} / --${option.opposite}`;
  const placeholder = placeholderOf(option);
  const head = `  ${placeholder === undefined ? both : `${both} ${placeholder}`}`;
  const [first = "", ...others] = wrap(option.help, WIDTH - COLUMN);
  const indent = " ".repeat(COLUMN);
  const start = head.length <= COLUMN - 2 ? head.padEnd(COLUMN) + first : `${head}\n${indent}${first}`;
  return [start, ...others.map((line) => indent + line)].map((line) => `${line}\n`).join("");
}

function placeholderOf(option: OptionDefinition): string | undefined {
  if (option.placeholder !== undefined) return option.placeholder;
  if (option.choices !== undefined) return `[${option.choices.join("|")}]`;
  const names = {
    flag: undefined,
    integer: "INTEGER",
    text: "TEXT",
    pattern: "REGEX",
    choice: "TEXT",
    file: "FILE",
    folder: "DIRECTORY",
  };
  return names[option.kind];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
