import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";

/** What a program said, standard error after an end with an error only. */
export interface Said {
  readonly code: number;
  readonly out: string;
}

/** A virtual environment with LiteLLM. */
export class Python {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;

  /** @param env what its programs get */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.env = env;
  }

  /** From PyPI: the newest version whose requirements can be met. */
  install(): void {
    execFileSync("python3", ["-m", "venv", this.folder]);
    const packages = ["litellm[proxy]", "litellm-proxy-extras"];
    execFileSync(this.#program("python"), ["-m", "pip", "install", "-q", ...packages], { stdio: "inherit" });
  }

  run(words: readonly string[], input?: object): Promise<Said> {
    return runProgram(
      this.#program("python"),
      words,
      this.env,
      input === undefined ? "" : JSON.stringify(input),
    );
  }

  commandLine(words: readonly string[], more: NodeJS.ProcessEnv, typed = ""): Promise<Said> {
    return runProgram(this.#program("litellm-proxy"), words, { ...this.env, ...more }, typed);
  }

  async version(): Promise<string> {
    const code = "import importlib.metadata as m; print(m.version('litellm'))";
    return (await this.run(["-c", code])).out.trim();
  }

  /** A folder within an installed package. */
  async packageFolder(name: string, within: string): Promise<string> {
    const { out } = await this.run(["-c", `import ${name}; print(${name}.__path__[0])`]);
    return join(out.trim().split("\n").at(-1)!, within);
  }

  #program(name: string): string {
    return join(this.folder, "bin", name);
  }
}

/** Runs a program to its end. */
export function runProgram(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  input = "",
): Promise<Said> {
  return new Promise((done) => {
    const child = execFile(program, words, { env, maxBuffer: 2 ** 26 }, (error, out, err) =>
      done({ code: error === null ? 0 : 1, out: error === null ? out : out + err }),
    );
    child.stdin?.on("error", () => undefined).end(input);
  });
}
