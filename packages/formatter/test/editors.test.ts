import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundledForTests } from "../../../tools/bundles.ts";
import { Sandbox } from "./sandbox.ts";

/** The samples of the guide in the editors that they are for, where these are installed; `apt-get install neovim elpa-eglot`. */
const guide = readFileSync(resolve(import.meta.dirname, "../../../docs/formatter/editors.md"), "utf8");
const programs = join(await bundledForTests("formatter"), "bin");
const samplesIn = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!);

const isInstalled = (command: string, args = ["--version"]): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;
const hasNeovim = isInstalled("nvim");
/** From 0.11 on Neovim has `vim.lsp.config`, which the guide's first sample uses. */
const hasNewNeovim =
  hasNeovim &&
  isInstalled("nvim", ["--clean", "--headless", "-c", "if !has('nvim-0.11') | cquit | endif", "-c", "quit"]);
const hasVim = isInstalled("vim");
const hasEglot =
  spawnSync("emacs", ["--batch", "--eval", "(progn (package-initialize) (require 'eglot))"], {
    stdio: "ignore",
  }).status === 0;

const FORMATTED = "call(\n    first,\n    second,\n    third,\n)\n";

let own: Sandbox;
beforeEach(() => {
  own = new Sandbox();
  own.write("pyproject.toml", "[tool.black]\nline-length = 20\n");
  own.write("a.py", "call( first,second,third )\n");
  for (const name of ["jetblack", "jetblack-lsp"]) {
    own.write(`bin/${name}`, `#!/bin/sh\nexec '${process.execPath}' '${programs}/${name}.cjs' "$@"\n`);
    chmodSync(join(own.folder, `bin/${name}`), 0o755);
  }
});
afterEach(() => own.remove());

function format(editor: string, args: readonly string[]): string {
  const env = { PATH: `${own.folder}/bin:${process.env.PATH}`, HOME: own.folder, TMPDIR: own.folder };
  spawnSync(editor, args, { cwd: own.folder, env, timeout: 240_000, stdio: "ignore" });
  return readFileSync(join(own.folder, "a.py"), "utf8");
}

describe("the language server as the guide sets it up", () => {
  /** @param formatBuffer an Ex command */
  const formatInNeovim = (sample: string, formatBuffer: string): string => {
    own.write("sample.lua", samplesIn("lua").find((text) => text.includes(sample))!);
    own.write(
      "drive.lua",
      `vim.cmd("edit a.py")
vim.wait(120000, function()
  local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
  return client ~= nil and client.initialized == true
end, 50)
vim.cmd([[${formatBuffer}]])
vim.cmd("write")
vim.cmd("qall!")
`,
    );
    const commands = ["filetype on", "luafile sample.lua", "luafile drive.lua"];
    return format("nvim", ["--headless", "--clean", ...commands.flatMap((command) => ["-c", command])]);
  };

  it.skipIf(!hasNewNeovim)("formats in Neovim 0.11 or newer", () => {
    expect(formatInNeovim("vim.lsp.config", "lua vim.lsp.buf.format()")).toBe(FORMATTED);
  });

  it.skipIf(!hasNeovim)("formats in any Neovim by the guide's key", () => {
    expect(formatInNeovim("start_client", 'execute "normal \\\\f"')).toBe(FORMATTED);
  });

  it.skipIf(!hasEglot)("formats in Emacs with Eglot", () => {
    own.write("sample.el", samplesIn("elisp")[0]!);
    own.write(
      "drive.el",
      `(package-initialize)
(load-file "sample.el")
(require 'eglot)
(find-file "a.py")
(apply #'eglot--connect (eglot--guess-contact))
(eglot-format-buffer)
(save-buffer)
`,
    );
    expect(format("emacs", ["--batch", "-l", "drive.el"])).toBe(FORMATTED);
  });
});

describe("the command as the guide sets it up", () => {
  const formatInVim = (): string => {
    own.write("sample.vim", samplesIn("vim")[0]!);
    const commands = ["edit a.py", "normal gggqG", "write", "quitall!"];
    return format("vim", ["-es", "-u", "sample.vim", ...commands.flatMap((command) => ["-c", command])]);
  };

  it.skipIf(!hasVim)("formats in Vim with gq", () => {
    expect(formatInVim()).toBe(FORMATTED);
  });

  it.skipIf(!hasVim)("leaves what cannot be parsed as it is in Vim", () => {
    const source = "call( first,second\n";
    own.write("a.py", source);
    expect(formatInVim()).toBe(source);
  });
});
