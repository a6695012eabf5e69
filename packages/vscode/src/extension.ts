import { styleVersion, version } from "jetblack/editor";
import { commands, type ExtensionContext, languages, window } from "vscode";
import { Formatter } from "./formatter.ts";
import { Reporter } from "./reporter.ts";

/** Python in files, in what is not saved yet, and in the cells of notebooks, wherever they are kept. */
const PYTHON = { language: "python" };

/** What the editor calls when the first Python document opens. */
export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("Jetblack", { log: true });
  log.info(`Jetblack ${version}, style of Black ${styleVersion}`);
  const reporter = new Reporter(log);
  const formatter = new Formatter(reporter);
  context.subscriptions.push(
    log,
    reporter,
    commands.registerCommand("jetblack.showOutput", () => log.show()),
    languages.registerDocumentFormattingEditProvider(PYTHON, formatter),
    languages.registerDocumentRangeFormattingEditProvider(PYTHON, formatter),
    languages.registerOnTypeFormattingEditProvider(PYTHON, formatter, "\n"),
  );
}
