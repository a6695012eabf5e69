import { Preview } from "./preview.ts";
import { targetVersions } from "./target-version.ts";

/** The value an option holds, and with it how its text is checked. */
export type OptionKind = "flag" | "integer" | "text" | "pattern" | "choice" | "file" | "folder";

/** One option: flag on the command line, key in `pyproject.toml`, check and help at once. */
export interface OptionDefinition {
  /** Configuration key; `--` before it is the flag. */
  readonly key: string;
  readonly kind: OptionKind;
  /** One-letter flag with its dash. */
  readonly short?: string;
  /** The flag that switches the opposite on (`--safe` for `--fast`). */
  readonly opposite?: string;
  /** May be given several times; a list in the configuration. */
  readonly isList?: boolean;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  /** Placeholder in the help where it is not the kind's own. */
  readonly placeholder?: string;
  /** Whether the configuration table may hold the key. */
  readonly inConfiguration: boolean;
  /** Checked before all others (click: `is_eager`). */
  readonly isEager?: boolean;
  readonly help: string;
}

/** Directories left out of recursive searches unless `exclude` says otherwise (Black: `const.py` DEFAULT_EXCLUDES). */
export const defaultExclude =
  "/(\\.direnv|\\.eggs|\\.git|\\.hg|\\.ipynb_checkpoints|\\.mypy_cache|\\.nox|\\.pytest_cache|\\.ruff_cache|\\.tox|\\.svn|\\.venv|\\.vscode|__pypackages__|_build|buck-out|build|dist|venv)/";

/** Files taken from recursive searches (Black: `const.py` DEFAULT_INCLUDES). */
export const defaultInclude = /(\.pyi?|\.ipynb)$/u;

/** Cell magics whose body is Python, built in (Black: `handle_ipynb_magics.py` PYTHON_CELL_MAGICS). */
export const pythonCellMagics = ["capture", "prun", "pypy", "python", "python3", "time", "timeit"] as const;

/**
 * Every option, in the order of the help. The command line, the configuration reader, the help and the
 * documentation's table all come from here: adding an option is a row here, a field in `Settings`, and its use.
 */
export const optionTable = [
  {
    key: "code",
    kind: "text",
    short: "-c",
    inConfiguration: true,
    help: "Format the code passed in as a string.",
  },
  {
    key: "line-length",
    kind: "integer",
    short: "-l",
    inConfiguration: true,
    help: "How many characters per line to allow.  [default: 88]",
  },
  {
    key: "target-version",
    kind: "choice",
    short: "-t",
    isList: true,
    choices: targetVersions,
    inConfiguration: true,
    help: "Python versions that the output has to run on; name all that the code supports. By default they come from requires-python in pyproject.toml, and where that says nothing, from the syntax that each file uses.",
  },
  {
    key: "pyi",
    kind: "flag",
    inConfiguration: true,
    help: "Format all inputs as typing stubs, whatever their names. Useful for source on standard input.",
  },
  {
    key: "ipynb",
    kind: "flag",
    inConfiguration: true,
    help: "Format all inputs as Jupyter notebooks, whatever their names. Useful for source on standard input.",
  },
  {
    key: "python-cell-magics",
    kind: "text",
    isList: true,
    inConfiguration: true,
    help: `A further cell magic whose body is Python, besides the known ones (${pythonCellMagics.join(", ")}).`,
  },
  {
    key: "skip-source-first-line",
    kind: "flag",
    short: "-x",
    inConfiguration: true,
    help: "Leave the first line of the source alone.",
  },
  {
    key: "skip-string-normalization",
    kind: "flag",
    short: "-S",
    inConfiguration: true,
    help: "Leave string quotes and prefixes as they are.",
  },
  {
    key: "skip-magic-trailing-comma",
    kind: "flag",
    short: "-C",
    inConfiguration: true,
    help: "Do not take a trailing comma as a reason to split lines.",
  },
  {
    key: "preview",
    kind: "flag",
    inConfiguration: true,
    help: "Turn on style changes that may become part of the next major release.",
  },
  {
    key: "unstable",
    kind: "flag",
    inConfiguration: true,
    help: "Turn on style changes that have known problems or may never be released. Implies --preview.",
  },
  {
    key: "enable-unstable-feature",
    kind: "choice",
    isList: true,
    choices: Object.keys(Preview),
    inConfiguration: true,
    help: "Turn on one feature of the unstable style. Requires --preview. Features may change or go at any time.",
  },
  {
    key: "check",
    kind: "flag",
    inConfiguration: true,
    help: "Write nothing back and tell the result by the exit code: 0 when nothing would change, 1 when files would be reformatted, 123 on an internal error.",
  },
  {
    key: "diff",
    kind: "flag",
    inConfiguration: true,
    help: "Write nothing back and print what would change as a diff to standard output.",
  },
  {
    key: "color",
    kind: "flag",
    opposite: "no-color",
    inConfiguration: true,
    help: "Colour the diff. Only with --diff.",
  },
  {
    key: "line-ranges",
    kind: "text",
    isList: true,
    placeholder: "START-END",
    inConfiguration: false,
    help: "Format only these lines, as well as that is possible. May be given several times. Both ends count from 1 and are included.",
  },
  {
    key: "fast",
    kind: "flag",
    opposite: "safe",
    inConfiguration: true,
    help: "Skip the check that the output has the syntax tree of the source and formats to itself.  [default: --safe]",
  },
  {
    key: "required-version",
    kind: "text",
    inConfiguration: true,
    help: "Refuse to run unless the version is this one: ours or that of the style, in full or the major number alone.",
  },
  {
    key: "exclude",
    kind: "pattern",
    inConfiguration: true,
    help: `A regular expression of paths to leave out of recursive searches; the empty one leaves out nothing. Use forward slashes on every platform. Unless this is given, paths in .gitignore are left out too.  [default: ${defaultExclude}]`,
  },
  {
    key: "extend-exclude",
    kind: "pattern",
    inConfiguration: true,
    help: "Like --exclude, on top of the defaults instead of replacing them.",
  },
  {
    key: "force-exclude",
    kind: "pattern",
    inConfiguration: true,
    help: "Like --exclude, and leaves out matching files even when they are named as arguments. Useful for hooks and editors that pass changed files.",
  },
  {
    key: "stdin-filename",
    kind: "text",
    isEager: true,
    inConfiguration: false,
    help: "The name of the file that comes on standard input, so that --force-exclude and file types apply to it.",
  },
  {
    key: "include",
    kind: "pattern",
    inConfiguration: true,
    help: `A regular expression of files to take from recursive searches; the empty one takes all. Use forward slashes on every platform.  [default: ${defaultInclude.source}]`,
  },
  {
    key: "workers",
    kind: "integer",
    short: "-W",
    minimum: 1,
    inConfiguration: true,
    help: "Threads to format several files with. Also set by FORMATTER_NUM_WORKERS. By default as many as there are CPUs; of two CPUs one, with less than 8 MB to format.",
  },
  {
    key: "quiet",
    kind: "flag",
    short: "-q",
    inConfiguration: true,
    help: "Print nothing but errors.",
  },
  {
    key: "verbose",
    kind: "flag",
    short: "-v",
    inConfiguration: true,
    help: "Also name files that were left alone or ignored, and the configuration file in use.",
  },
  {
    key: "report",
    kind: "choice",
    choices: ["text", "json", "github", "gitlab", "junit", "sarif"],
    inConfiguration: false,
    help: "How to report results: as text on standard error, or on standard output as one JSON document, annotations for GitHub Actions, GitLab's code quality report, JUnit's XML or SARIF. Of standard input and --code these go to standard error, unless --check keeps the source off standard output.  [default: text]",
  },
  {
    key: "version",
    kind: "flag",
    isEager: true,
    inConfiguration: false,
    help: "Show the version and exit.",
  },
  {
    key: "config",
    kind: "file",
    isEager: true,
    inConfiguration: false,
    help: "Read options from this file instead of the project's pyproject.toml.",
  },
  {
    key: "cache-dir",
    kind: "folder",
    inConfiguration: true,
    help: "Keep the cache in this folder. Takes precedence over JETBLACK_CACHE_DIR.",
  },
  {
    key: "no-cache",
    kind: "flag",
    inConfiguration: true,
    help: "Neither read nor write the cache; format all included files. Overrides --cache-dir.",
  },
  {
    key: "help",
    kind: "flag",
    short: "-h",
    isEager: true,
    inConfiguration: false,
    help: "Show this message and exit.",
  },
] as const satisfies readonly OptionDefinition[];

/** The key of an option. */
export type OptionKey = (typeof optionTable)[number]["key"];

/** The definition of a key. */
export function findOption(key: string): (OptionDefinition & { readonly key: OptionKey }) | undefined {
  return optionTable.find((option) => option.key === key);
}

/** Keys that the configuration table accepts. */
export const configurationKeys: readonly OptionKey[] = optionTable
  .filter((option) => option.inConfiguration)
  .map((option) => option.key);
