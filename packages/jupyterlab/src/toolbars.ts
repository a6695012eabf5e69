import type { Formatter } from "./formatter.ts";
import type { EditorPanel, NotebookPanel, ToolbarRegistry } from "./jupyterlab.ts";
import type { SharedModules } from "./shared-modules.ts";
import { isPythonFile } from "./targets.ts";

/** The item's name in `schema/plugin.json`, which says where it stands. */
const ITEM = "jetblack";

/** A button for each notebook and each Python file, which formats its own document, whichever has the focus. */
export function addButtons(
  toolbars: ToolbarRegistry,
  ToolbarButton: SharedModules["components"]["ToolbarButton"],
  formatter: Formatter,
  icon: object,
): void {
  toolbars.addFactory<NotebookPanel>("Notebook", ITEM, (panel) => {
    const tooltip = "Format all cells with Jetblack";
    return new ToolbarButton({ icon, tooltip, onClick: () => formatter.formatCells(panel) });
  });
  toolbars.addFactory<EditorPanel>("Editor", ITEM, (panel) => {
    const tooltip = "Format file with Jetblack";
    const button = new ToolbarButton({ icon, tooltip, onClick: () => formatter.formatFile(panel) });
    const renew = (): void => button.setHidden(!isPythonFile(panel));
    panel.content.model.mimeTypeChanged.connect(renew);
    renew();
    return button;
  });
}
