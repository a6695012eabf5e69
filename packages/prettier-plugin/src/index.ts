import type { Plugin, SupportLanguage } from "prettier";
import { options } from "./options.ts";
import { AST_FORMAT, type FormattedSource, parser } from "./parser.ts";
import { printer } from "./printer.ts";

const languages: SupportLanguage[] = [
  {
    name: "Python",
    parsers: ["python"],
    aliases: ["py", "python3"],
    extensions: [".py", ".pyi", ".pyw"],
    interpreters: ["python", "python3"],
    vscodeLanguageIds: ["python"],
    linguistLanguageId: 303,
  },
];

/** The plugin, as Prettier loads it. */
const plugin: Plugin<FormattedSource> = {
  languages,
  parsers: { python: parser },
  printers: { [AST_FORMAT]: printer },
  options,
  // In Python files; in Markdown the widths are those of the page.
  defaultOptions: { printWidth: 88, tabWidth: 4 },
};

export default plugin;
