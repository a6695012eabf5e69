import { targetVersions } from "../src/index.ts";
import type { PageState } from "./page-state.ts";

/** The options that are on or off, with the names that the command line has for them. */
const flags = [
  ["pyi", "--pyi"],
  ["skipStringNormalization", "--skip-string-normalization"],
  ["skipMagicTrailingComma", "--skip-magic-trailing-comma"],
  ["preview", "--preview"],
  ["unstable", "--unstable"],
] as const satisfies readonly (readonly [keyof PageState, string])[];

/** Puts the controls into the form, set as the state says, and reports each change. */
export function showOptions(
  form: HTMLFormElement,
  state: PageState,
  onChange: (change: Partial<PageState>) => void,
): void {
  const length = document.createElement("input");
  Object.assign(length, {
    type: "number",
    name: "lineLength",
    min: "1",
    max: "10000",
    value: String(state.lineLength),
  });
  length.addEventListener("input", () => {
    // A number that does not count is said to be wrong, by the browser.
    if (length.reportValidity() && length.value !== "") onChange({ lineLength: length.valueAsNumber });
  });
  const version = document.createElement("select");
  version.name = "targetVersion";
  for (const name of ["auto", ...targetVersions])
    version.add(new Option(name, name, false, name === state.targetVersion));
  version.addEventListener("change", () =>
    onChange({ targetVersion: version.value as PageState["targetVersion"] }),
  );
  form.replaceChildren(labelled("--line-length", length), labelled("--target-version", version));
  for (const [name, flag] of flags) {
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", name, checked: state[name] });
    box.addEventListener("change", () => onChange({ [name]: box.checked }));
    form.append(labelled(flag, box));
  }
}

function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  const label = document.createElement("label");
  label.append(control, ` ${text}`);
  return label;
}
