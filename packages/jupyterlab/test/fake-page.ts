import { openPlugin } from "../src/plugin.ts";
import type { SharedModules } from "../src/shared-modules.ts";

/** Emits to those who are connected. */
class FakeSignal<Args> {
  readonly #slots = new Set<(sender: unknown, args: Args) => void>();
  connect = (slot: (sender: unknown, args: Args) => void): boolean => Boolean(this.#slots.add(slot));
  disconnect = (slot: (sender: unknown, args: Args) => void): boolean => this.#slots.delete(slot);
  emit(args: Args): void {
    for (const slot of [...this.#slots]) slot(undefined, args);
  }
}

/** A shared text that keeps a step for each transaction. */
export class FakeText {
  readonly steps: string[] = [];
  #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  readonly undoManager = { stopCapturing: () => undefined };
  getSource = (): string => this.#text;
  updateSource(start: number, end: number, value: string): void {
    this.#text = this.#text.slice(0, start) + value + this.#text.slice(end);
  }
  transact(change: () => void): void {
    this.steps.push(this.#text);
    change();
  }
}

export interface FakeCell {
  readonly model: { type: string; sharedModel: FakeText; getMetadata(key: string): unknown };
  readonly editor: null;
}

export function cell(source: string, { type = "code", editable = true } = {}): FakeCell {
  const getMetadata = (key: string): unknown => (key === "editable" ? editable : undefined);
  return { model: { type, sharedModel: new FakeText(source), getMetadata }, editor: null };
}

export function notebook(cells: readonly FakeCell[], { language = "python", writable = true } = {}) {
  const metadata: Record<string, unknown> = { language_info: { name: language } };
  return {
    isDisposed: false,
    context: {
      path: "book.ipynb",
      contentsModel: { writable },
      saveState: new FakeSignal<string>(),
      model: {
        readOnly: false,
        contentChanged: new FakeSignal<void>(),
        getMetadata: (key: string) => metadata[key],
      },
    },
    content: { widgets: cells, activeCell: cells[0] ?? null },
  };
}

export function file(source: string, path: string) {
  const text = new FakeText(source);
  const offsetOf = ({ line, column }: { line: number; column: number }): number =>
    text.getSource().split("\n").slice(0, line).join("\n").length + (line > 0 ? 1 : 0) + column;
  const positionAt = (offset: number) => {
    const before = text.getSource().slice(0, offset).split("\n");
    return { line: before.length - 1, column: before.at(-1)!.length };
  };
  const selection = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };
  return {
    isDisposed: false,
    context: {
      path,
      contentsModel: { writable: true },
      saveState: new FakeSignal<string>(),
      model: { readOnly: false, contentChanged: new FakeSignal<void>() },
    },
    content: {
      editor: {
        getOffsetAt: offsetOf,
        getPositionAt: positionAt,
        getSelection: () => ({ ...selection }),
        setSelection: (next: typeof selection) => void Object.assign(selection, next),
      },
      model: { mimeType: "text/plain", mimeTypeChanged: new FakeSignal<void>(), sharedModel: text },
    },
  };
}

type Panel = ReturnType<typeof notebook> | ReturnType<typeof file>;

class FakeWidget {
  readonly node = { textContent: "", title: "", setAttribute: () => undefined };
  isHidden = false;
  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
  }
}

/** Files as the server lists and gives them. */
function fakeContents(files: Record<string, string>) {
  return {
    fileChanged: new FakeSignal<object>(),
    get: async (path: string, { type }: { type?: string }): Promise<{ content: unknown }> => {
      if (type === "file") return { content: files[path] };
      const below = Object.keys(files).filter(
        (name) => name.slice(0, Math.max(0, name.lastIndexOf("/"))) === path,
      );
      return {
        content: below.map((name) => ({ name: name.slice(name.lastIndexOf("/") + 1), type: "file" })),
      };
    },
  };
}

/** A page of JupyterLab with a document that has the focus, and our plugin in it. */
export async function openPage(
  panel: Panel,
  {
    settings = {},
    hasStatusBar = true,
    files = {},
  }: { settings?: object; hasStatusBar?: boolean; files?: Record<string, string> } = {},
) {
  const isNotebook = "widgets" in panel.content;
  const commands = new Map<string, { isEnabled: () => boolean; execute: () => Promise<void> }>();
  const executed = new FakeSignal<{ id: string; result: Promise<unknown> }>();
  const tokens = { palette: {}, registry: {}, toolbars: {}, notebooks: {}, editors: {}, status: {} };
  const notifications: string[] = [];
  const buttons = new Map<string, FakeWidget & { onClick(): Promise<void> }>();
  let status: FakeWidget | undefined;
  const tracker = (shown: boolean) => ({
    currentWidget: shown ? panel : null,
    currentChanged: new FakeSignal<void>(),
    widgetAdded: new FakeSignal<unknown>(),
    forEach: (use: (panel: Panel) => void) => (shown ? use(panel) : undefined),
  });
  const services = new Map<object, unknown>([
    [tokens.palette, { addItem: () => undefined }],
    [tokens.registry, { load: () => Promise.resolve({ composite: settings }) }],
    [
      tokens.toolbars,
      {
        addFactory: (
          name: string,
          _: string,
          make: (panel: Panel) => FakeWidget & { onClick(): Promise<void> },
        ) => {
          if (isNotebook === (name === "Notebook")) buttons.set(name, make(panel));
        },
      },
    ],
    [tokens.notebooks, tracker(isNotebook)],
    [tokens.editors, tracker(!isNotebook)],
    [
      tokens.status,
      {
        registerStatusItem: (_: string, { item }: { item: FakeWidget }) => {
          status = item;
        },
      },
    ],
  ]);
  const modules = {
    apputils: {
      ICommandPalette: tokens.palette,
      IToolbarWidgetRegistry: tokens.toolbars,
      Notification: { warning: (text: string) => notifications.push(text) },
    },
    settings: { ISettingRegistry: tokens.registry },
    components: {
      LabIcon: class {},
      ToolbarButton: class extends FakeWidget {
        readonly onClick: () => Promise<void>;
        constructor({ onClick }: { onClick: () => Promise<void> }) {
          super();
          this.onClick = onClick;
        }
      },
    },
    widgets: { Widget: FakeWidget },
    notebook: { INotebookTracker: tokens.notebooks },
    fileEditor: { IEditorTracker: tokens.editors },
    ...(hasStatusBar ? { statusBar: { IStatusBar: tokens.status } } : {}),
  };
  const plugin = openPlugin(modules as unknown as SharedModules) as {
    optional: object[];
    activate(application: object, ...services: unknown[]): Promise<void>;
  };
  const contents = fakeContents(files);
  const application = {
    serviceManager: { contents },
    commands: {
      addCommand: (id: string, options: { isEnabled: () => boolean; execute: () => Promise<void> }) =>
        commands.set(id, options),
      commandExecuted: executed,
      notifyCommandChanged: () => undefined,
    },
    shell: { currentWidget: panel, currentChanged: new FakeSignal<unknown>() },
  };
  await plugin.activate(application, ...plugin.optional.map((token) => services.get(token)));
  return {
    notifications,
    buttons,
    isEnabled: (id: string) => commands.get(id)!.isEnabled(),
    run: (id: string) => commands.get(id)!.execute(),
    status: () => status?.node.textContent,
    /** What happens when a file is saved in another tab. */
    change: (path: string, text: string) => {
      files[path] = text;
      contents.fileChanged.emit({ oldValue: null, newValue: { path } });
    },
    /** What happens in JupyterLab when somebody saves. */
    save: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      executed.emit({ id: "docmanager:save", result: promise });
      panel.context.saveState.emit("started");
      resolve();
      await promise;
      panel.context.saveState.emit("completed");
    },
    /** What happens when its timer saves. */
    autosave: () => {
      panel.context.saveState.emit("started");
      panel.context.saveState.emit("completed");
    },
  };
}
