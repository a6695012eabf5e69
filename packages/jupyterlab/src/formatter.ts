import { UsageError } from "jetblack/editor";
import { formatTarget, type Outcome, type Target } from "./format-text.ts";
import type { DocumentContext, EditorPanel, NotebookPanel } from "./jupyterlab.ts";
import { projectSettingsOf } from "./options.ts";
import type { Project, Projects } from "./projects.ts";
import type { NamedOutcome, Reporter } from "./reporter.ts";
import { activeCellTarget, type CellTarget, cellTargets, fileTarget } from "./targets.ts";

interface Settings {
  readonly composite: Readonly<Record<string, unknown>>;
}

type AnyTarget = Target | CellTarget;

/**
 * Formats what people ask for, as the document's project says, otherwise with JupyterLab's settings, and has the reporter
 * say what came of it.
 */
export class Formatter {
  readonly #reporter: Reporter;
  readonly #projects: Projects;
  #settings: Settings = { composite: {} };

  constructor(reporter: Reporter, projects: Projects) {
    this.#reporter = reporter;
    this.#projects = projects;
  }

  /** JupyterLab keeps them up to date. */
  useSettings(settings: Settings): void {
    this.#settings = settings;
  }

  formatCell(panel: NotebookPanel): Promise<void> {
    return this.#format(panel.context, () => {
      const target = activeCellTarget(panel);
      return target === undefined ? [] : [target];
    });
  }

  formatCells(panel: NotebookPanel): Promise<void> {
    return this.#format(panel.context, () => cellTargets(panel));
  }

  formatFile(panel: EditorPanel): Promise<void> {
    return this.#format(panel.context, () => {
      const target = fileTarget(panel);
      return target === undefined ? [] : [target];
    });
  }

  /** Saving does not wait for what is formatted first, so that the project has to be known by then. */
  prepareSave({ context }: { readonly context: DocumentContext }): void {
    this.#projects.read(pathOf(context)).catch(() => undefined);
  }

  saveCells(panel: NotebookPanel): void {
    if (this.#formatsOnSave()) this.#save(panel.context, cellTargets(panel));
  }

  saveFile(panel: EditorPanel): void {
    const target = this.#formatsOnSave() ? fileTarget(panel) : undefined;
    if (target !== undefined) this.#save(panel.context, [target]);
  }

  #formatsOnSave(): boolean {
    return this.#settings.composite.formatOnSave === true;
  }

  #save(context: DocumentContext, targets: readonly AnyTarget[]): void {
    const path = pathOf(context);
    try {
      if (!this.#projects.isKnown(path))
        throw new UsageError("the project's settings are being read; save once more");
      this.#show(context, targets, this.#projects.known(path), true);
    } catch (error) {
      this.#fail(context, error);
    }
    // One that was changed by another program is in force from the next time on.
    this.prepareSave({ context });
  }

  async #format(context: DocumentContext, targetsOf: () => readonly AnyTarget[]): Promise<void> {
    try {
      const project = await this.#projects.read(pathOf(context));
      // Only now: in the meantime somebody may have typed on.
      this.#show(context, targetsOf(), project, false);
    } catch (error) {
      this.#fail(context, error);
    }
  }

  #show(
    context: DocumentContext,
    targets: readonly AnyTarget[],
    project: Project | undefined,
    isSave: boolean,
  ): void {
    const outcomes = targets.map((target): NamedOutcome => {
      const name = "number" in target ? `cell ${target.number}` : "";
      return { name, outcome: this.#outcomeOf(target, project) };
    });
    this.#reporter.show(context, outcomes, isSave);
  }

  #fail(context: DocumentContext, error: unknown): void {
    this.#reporter.show(context, [{ name: "", outcome: failure(error) }]);
  }

  /** Saving goes on whatever comes of it. */
  #outcomeOf(target: Target, project: Project | undefined): Outcome {
    try {
      return project === undefined
        ? formatTarget(target, projectSettingsOf(this.#settings.composite))
        : formatTarget({ ...target, path: project.path }, project.settings);
    } catch (error) {
      return failure(error);
    }
  }
}

/** A fault of ours is for the console, too. */
function failure(error: unknown): Outcome {
  if (!(error instanceof UsageError))
    queueMicrotask(() => {
      throw error;
    });
  return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
}

/** The drive of files that are edited together has the paths of the server's own, which has all files. */
function pathOf({ path }: DocumentContext): string {
  return path.replace(/^RTC:/, "");
}
