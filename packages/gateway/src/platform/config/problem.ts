/** Where in a configuration file something is wrong, and what to do about it. */
export interface Problem {
  readonly file: string;
  /** From 1; absent where the problem has no place in the text. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Such as `model_list[0].litellm_params.rpm`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  /** Whether calls fail because of it, though the gateway starts. */
  readonly breaksCalls?: boolean;
}

/** `file:line:column: path: message`, as compilers write it so that editors can jump there. */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return path === "" ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
}

/**
 * A configuration that cannot be used; holds everything that is wrong with it.
 * @param hints warnings about the same file that are often the whole answer: a misspelt key, a variable that is not set
 */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], hints: readonly Problem[] = []) {
    super(
      [...problems.map(formatProblem), ...hints.map((hint) => `warning: ${formatProblem(hint)}`)].join("\n"),
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}
