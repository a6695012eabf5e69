import type { Kind } from "./page-state.ts";

const names: Readonly<Record<Kind, string>> = {
  module: "formatted.py",
  stub: "formatted.pyi",
  notebook: "formatted.ipynb",
};

/** Has the browser save a text as a file of that kind. */
export function saveAs(text: string, kind: Kind): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = names[kind];
  link.click();
  URL.revokeObjectURL(link.href);
}
