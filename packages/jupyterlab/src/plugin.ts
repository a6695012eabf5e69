import { styleVersion } from "jetblack/editor";
import { addCommands } from "./commands.ts";
import { Formatter } from "./formatter.ts";
import { iconSvg } from "./icon.ts";
import type {
  Application,
  CommandPalette,
  EditorPanel,
  NotebookPanel,
  SettingRegistry,
  StatusBar,
  ToolbarRegistry,
  Tracker,
} from "./jupyterlab.ts";
import { SaveWatch } from "./on-save.ts";
import { Projects } from "./projects.ts";
import { Reporter } from "./reporter.ts";
import type { SharedModules } from "./shared-modules.ts";
import { addButtons } from "./toolbars.ts";

const PLUGIN = "jetblack-jupyterlab:plugin";

type Services = [
  palette: CommandPalette | null,
  registry: SettingRegistry | null,
  toolbars: ToolbarRegistry | null,
  notebooks: Tracker<NotebookPanel> | null,
  editors: Tracker<EditorPanel> | null,
  statusBar: StatusBar | null,
];

/** The plugin as JupyterLab takes it. All that it stands on is optional: Notebook 7 has pages without notebooks. */
export function openPlugin(modules: SharedModules): object {
  const { apputils, settings, notebook, fileEditor, statusBar } = modules;
  const tokens = [
    apputils.ICommandPalette,
    settings.ISettingRegistry,
    apputils.IToolbarWidgetRegistry,
    notebook?.INotebookTracker,
    fileEditor?.IEditorTracker,
    statusBar?.IStatusBar,
  ];
  const optional = tokens.filter((token) => token !== undefined);
  return {
    id: PLUGIN,
    description: `Formats Python as Black ${styleVersion} does.`,
    autoStart: true,
    optional,
    activate: (application: Application, ...found: unknown[]) => {
      const services = tokens.map((token) =>
        token === undefined ? null : (found[optional.indexOf(token)] ?? null),
      );
      return activate(modules, application, services as Services);
    },
  };
}

async function activate(
  { apputils, components, widgets }: SharedModules,
  application: Application,
  [palette, registry, toolbars, notebooks, editors, statusBar]: Services,
): Promise<void> {
  const item = statusBar === null ? undefined : new widgets.Widget();
  if (item !== undefined) statusBar?.registerStatusItem(PLUGIN, { item, align: "left", rank: 900 });
  const reporter = new Reporter(item, (text) => apputils.Notification.warning(text, { autoClose: 8000 }));
  application.shell.currentChanged?.connect(() => reporter.clear());

  const formatter = new Formatter(reporter, new Projects(application.serviceManager.contents));
  const icon = new components.LabIcon({ name: "jetblack:format", svgstr: iconSvg });
  addCommands({ application, palette, notebooks, editors, formatter, icon });
  if (toolbars !== null) addButtons(toolbars, components.ToolbarButton, formatter, icon);
  const saves = new SaveWatch(application);
  const prepare = (panel: NotebookPanel | EditorPanel): void => formatter.prepareSave(panel);
  if (notebooks !== null) saves.watch(notebooks, prepare, (panel) => formatter.saveCells(panel));
  if (editors !== null) saves.watch(editors, prepare, (panel) => formatter.saveFile(panel));
  if (registry !== null) formatter.useSettings(await registry.load(PLUGIN));
}
