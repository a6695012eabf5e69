import type { Widget } from "./jupyterlab.ts";

/**
 * The share scope of webpack's module federation: by package and version, how to get each module that the page or its
 * other extensions offer.
 */
export type ShareScope = Readonly<Record<string, Readonly<Record<string, SharedModule>>>>;

interface SharedModule {
  get(): Promise<() => unknown> | (() => unknown);
  /** Whether somebody has got it already. */
  readonly loaded?: boolean | number;
}

/** By what other plugins offer their services; the same object in the whole page. */
type Token = object;

/** JupyterLab's own modules. One that the page does not offer is left out, as some are in Notebook 7 and JupyterLite. */
export interface SharedModules {
  readonly apputils: {
    readonly ICommandPalette: Token;
    readonly IToolbarWidgetRegistry: Token;
    readonly Notification: { warning(message: string, options: { autoClose: number }): unknown };
  };
  readonly settings: { readonly ISettingRegistry: Token };
  readonly components: {
    readonly LabIcon: new (options: { name: string; svgstr: string }) => object;
    readonly ToolbarButton: new (options: { icon: unknown; tooltip: string; onClick: () => void }) => Widget;
  };
  readonly widgets: { readonly Widget: new () => Widget };
  readonly notebook?: { readonly INotebookTracker: Token };
  readonly fileEditor?: { readonly IEditorTracker: Token };
  readonly statusBar?: { readonly IStatusBar: Token };
}

/** @throws when the page lacks one of the modules that all of JupyterLab's applications have */
export async function takeSharedModules(scope: ShareScope): Promise<SharedModules> {
  const [apputils, settings, components, widgets, notebook, fileEditor, statusBar] = await Promise.all(
    [
      "@jupyterlab/apputils",
      "@jupyterlab/settingregistry",
      "@jupyterlab/ui-components",
      "@lumino/widgets",
      "@jupyterlab/notebook",
      "@jupyterlab/fileeditor",
      "@jupyterlab/statusbar",
    ].map((name, index) => takeModule(scope, name, index < 4)),
  );
  return { apputils, settings, components, widgets, notebook, fileEditor, statusBar } as SharedModules;
}

async function takeModule(scope: ShareScope, name: string, isNeeded: boolean): Promise<unknown> {
  const version = chooseVersion(scope[name] ?? {});
  if (version !== undefined) return (await scope[name]![version]!.get())();
  if (isNeeded) throw new Error(`Jetblack needs JupyterLab 4; this page does not offer ${name}`);
  return undefined;
}

/** The version that is in use, otherwise the highest: there may be one alone, since its tokens are told by identity. */
export function chooseVersion(versions: Readonly<Record<string, SharedModule>>): string | undefined {
  return Object.keys(versions).reduce<string | undefined>((best, version) => {
    if (best === undefined) return version;
    const wasLoaded = Boolean(versions[best]!.loaded);
    if (wasLoaded !== Boolean(versions[version]!.loaded)) return wasLoaded ? best : version;
    return best.localeCompare(version, "en", { numeric: true }) < 0 ? version : best;
  }, undefined);
}
