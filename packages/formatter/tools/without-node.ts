import type { Plugin } from "rolldown";

/** The one function of Node's that formatting a text calls. */
const EXTNAME = "export const extname = (path) => /[^/.][^/]*?(\\.[^./]*)$/.exec(path)?.[1] ?? '';\n";

/**
 * Lets what reads files for the command line be bundled for pages, where none of it is called. Evidence of faults, which
 * the command line puts into a file, is nowhere in a page.
 */
export const withoutNode: Plugin = {
  name: "without-node",
  resolveId: (id) => {
    if (id.endsWith("/dump-file.ts")) return "\0dump-file";
    return id.startsWith("node:") ? `\0${id}` : undefined;
  },
  load: (id) => {
    if (id === "\0dump-file") return 'export const dumpToFile = () => "(none is written here)";';
    if (!id.startsWith("\0node:")) return undefined;
    const names = Object.keys(process.getBuiltinModule(id.slice(1)) ?? {});
    const exported = names.filter((name) => /^[a-z]\w*$/i.test(name) && name !== "default");
    const called = id === "\0node:path" ? EXTNAME : "";
    const body = exported
      .filter((name) => !called.includes(` ${name} `))
      .map((name) => `export const ${name} = unavailable;`)
      .join("\n");
    return `${called}const unavailable = () => { throw new Error("There are no files here."); };\n${body}`;
  },
};
