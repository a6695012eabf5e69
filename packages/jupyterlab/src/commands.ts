import type { Formatter } from "./formatter.ts";
import type { Application, CommandPalette, EditorPanel, NotebookPanel, Tracker } from "./jupyterlab.ts";
import { isPythonFile } from "./targets.ts";

interface Surroundings {
  readonly application: Application;
  readonly palette: CommandPalette | null;
  readonly notebooks: Tracker<NotebookPanel> | null;
  readonly editors: Tracker<EditorPanel> | null;
  readonly formatter: Formatter;
  readonly icon: object;
}

/** The commands, which the palette lists; the menu's lines are in `schema/plugin.json`. */
export function addCommands({
  application,
  palette,
  notebooks,
  editors,
  formatter,
  icon,
}: Surroundings): void {
  const { commands, shell } = application;
  const add = <Panel>(
    id: string,
    label: string,
    tracker: Tracker<Panel> | null,
    format: (panel: Panel) => Promise<void>,
    isMeant: (panel: Panel) => boolean = () => true,
  ): void => {
    // The tracker remembers the panel that had the focus last; JupyterLab's commands want it to have the focus now.
    const current = (): Panel | undefined => {
      const panel = tracker?.currentWidget ?? undefined;
      return panel !== undefined && panel === shell.currentWidget && isMeant(panel) ? panel : undefined;
    };
    commands.addCommand(id, {
      label,
      caption: `${label}, in Black's style`,
      icon,
      isEnabled: () => current() !== undefined,
      execute: () => {
        const panel = current();
        return panel === undefined ? undefined : format(panel);
      },
    });
    palette?.addItem({ command: id, category: "Jetblack" });
    shell.currentChanged?.connect(() => commands.notifyCommandChanged(id));
  };
  add("jetblack:format-cell", "Format Cell with Jetblack", notebooks, (panel) => formatter.formatCell(panel));
  add("jetblack:format-all-cells", "Format All Cells with Jetblack", notebooks, (panel) =>
    formatter.formatCells(panel),
  );
  add(
    "jetblack:format-file",
    "Format File with Jetblack",
    editors,
    (panel) => formatter.formatFile(panel),
    isPythonFile,
  );
}
