import type { Application, DocumentContext, Tracker } from "./jupyterlab.ts";

/** JupyterLab's commands that save, also under the toolbar's button and the shortcut. */
const SAVING = /^docmanager:save(-all|-as)?$/;

/**
 * Calls a function before a document is written because somebody asked for it. Autosave, which runs while people type, is
 * not one: it calls the same function of the document, but no command.
 */
export class SaveWatch {
  #running = 0;

  constructor({ commands }: Application) {
    // A command has been started, but nothing written, when this is called.
    commands.commandExecuted.connect((_, { id, result }) => {
      if (!SAVING.test(id)) return;
      this.#running++;
      const end = (): void => {
        this.#running--;
      };
      result.then(end, end);
    });
  }

  /** @param opened called for each document that is open, or will be */
  watch<Panel extends { readonly context: DocumentContext }>(
    tracker: Tracker<Panel>,
    opened: (panel: Panel) => void,
    beforeSave: (panel: Panel) => void,
  ): void {
    const add = (panel: Panel): void => {
      opened(panel);
      panel.context.saveState.connect((_, state) => {
        if (state === "started" && this.#running > 0) beforeSave(panel);
      });
    };
    tracker.forEach(add);
    tracker.widgetAdded.connect((_, panel) => add(panel));
  }
}
