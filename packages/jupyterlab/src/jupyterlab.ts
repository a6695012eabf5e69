/**
 * What the extension uses of JupyterLab 4, JupyterLite and Notebook 7. They hand over their own modules when the page
 * starts; their packages would bring some hundred others for the types alone.
 */

/** `ISignal` of `@lumino/signaling`. */
export interface Signal<Sender, Args> {
  connect(slot: (sender: Sender, args: Args) => void): boolean;
  disconnect(slot: (sender: Sender, args: Args) => void): boolean;
}

/** `YCodeCell` and `YFile` of `@jupyter/ydoc`: a text that may be shared with others. */
export interface SharedText {
  getSource(): string;
  /** Puts `value` in place of what is between two offsets, in UTF-16 units. */
  updateSource(start: number, end: number, value: string): void;
  /** What `change` does is undone as a whole. */
  transact(change: () => void): void;
  readonly undoManager: { stopCapturing(): void } | null;
}

/** `CodeEditor.IPosition`, both from 0. */
export interface EditorPosition {
  readonly line: number;
  readonly column: number;
}

/** `CodeEditor.IEditor`. */
export interface CodeEditor {
  getOffsetAt(position: EditorPosition): number;
  getPositionAt(offset: number): EditorPosition | undefined;
  getSelection(): { readonly start: EditorPosition; readonly end: EditorPosition };
  setSelection(selection: { readonly start: EditorPosition; readonly end: EditorPosition }): void;
}

/** `Cell` of `@jupyterlab/cells`. */
export interface Cell {
  readonly model: {
    readonly type: string;
    readonly sharedModel: SharedText;
    getMetadata(key: string): unknown;
  };
  /** None while the cell is outside of the window. */
  readonly editor: CodeEditor | null;
}

/** `DocumentRegistry.IContext`. */
export interface DocumentContext {
  readonly path: string;
  readonly contentsModel: { readonly writable: boolean } | null;
  readonly saveState: Signal<unknown, string>;
  readonly model: { readonly readOnly: boolean; readonly contentChanged: Signal<unknown, unknown> };
}

/** `NotebookPanel` of `@jupyterlab/notebook`. */
export interface NotebookPanel {
  readonly isDisposed: boolean;
  readonly context: DocumentContext & { readonly model: { getMetadata(key: string): unknown } };
  readonly content: {
    readonly widgets: readonly Cell[];
    readonly activeCell: Cell | null;
  };
}

/** The `FileEditor` of `@jupyterlab/fileeditor` in its panel. */
export interface EditorPanel {
  readonly isDisposed: boolean;
  readonly context: DocumentContext;
  readonly content: {
    readonly editor: CodeEditor;
    readonly model: {
      readonly mimeType: string;
      readonly mimeTypeChanged: Signal<unknown, unknown>;
      readonly sharedModel: SharedText;
    };
  };
}

/** `IWidgetTracker` of `@jupyterlab/apputils`. */
export interface Tracker<Panel> {
  readonly currentWidget: Panel | null;
  readonly currentChanged: Signal<unknown, Panel | null>;
  readonly widgetAdded: Signal<unknown, Panel>;
  forEach(use: (panel: Panel) => void): void;
}

/** `Widget` of `@lumino/widgets`. */
export interface Widget {
  readonly node: {
    textContent: string | null;
    title: string;
    setAttribute(name: string, value: string): void;
  };
  readonly isVisible: boolean;
  setHidden(isHidden: boolean): void;
}

/** `Contents.IManager` of `@jupyterlab/services`: the files that the page shows, of a server or of the browser. */
export interface Contents {
  get(
    path: string,
    options: { content: true; type?: "file"; format?: "text" },
  ): Promise<{ readonly content: unknown }>;
  readonly fileChanged: Signal<
    unknown,
    {
      readonly oldValue?: { readonly path?: string } | null;
      readonly newValue?: { readonly path?: string } | null;
    }
  >;
}

/** `JupyterFrontEnd` of `@jupyterlab/application`. */
export interface Application {
  readonly commands: {
    addCommand(
      id: string,
      options: {
        label: string;
        caption: string;
        icon: unknown;
        isEnabled: () => boolean;
        execute: () => Promise<void> | undefined;
      },
    ): unknown;
    readonly commandExecuted: Signal<unknown, { readonly id: string; readonly result: Promise<unknown> }>;
    notifyCommandChanged(id: string): void;
  };
  readonly serviceManager: { readonly contents: Contents };
  readonly shell: {
    readonly currentWidget: unknown;
    readonly currentChanged?: Signal<unknown, unknown> | null;
  };
}

/** `ICommandPalette` of `@jupyterlab/apputils`. */
export interface CommandPalette {
  addItem(item: { command: string; category: string }): unknown;
}

/** `ISettingRegistry` of `@jupyterlab/settingregistry`. */
export interface SettingRegistry {
  load(plugin: string): Promise<{ readonly composite: Readonly<Record<string, unknown>> }>;
}

/** `IToolbarWidgetRegistry` of `@jupyterlab/apputils`. */
export interface ToolbarRegistry {
  addFactory<Panel>(factory: string, item: string, make: (panel: Panel) => Widget): unknown;
}

/** `IStatusBar` of `@jupyterlab/statusbar`. */
export interface StatusBar {
  registerStatusItem(id: string, options: { item: Widget; align: "left"; rank: number }): unknown;
}
