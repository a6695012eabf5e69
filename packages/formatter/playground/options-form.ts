import { targetVersions } from "../src/mode/target-version.ts";
import { type Kind, kinds, type PageState } from "./page-state.ts";

/** The options that are on or off, with the names that the command line has for them. */
const flags = [
  ["skipStringNormalization", "--skip-string-normalization"],
  ["skipMagicTrailingComma", "--skip-magic-trailing-comma"],
  ["preview", "--preview"],
  ["unstable", "--unstable"],
] as const satisfies readonly (readonly [keyof PageState, string])[];

const kindNames: Readonly<Record<Kind, string>> = {
  module: "Module",
  stub: "Stub (--pyi)",
  notebook: "Notebook (--ipynb)",
};

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
  const kind = choice(
    "kind",
    kinds.map((value) => [value, kindNames[value]]),
    state.kind,
    (value) => onChange({ kind: value }),
  );
  const version = choice(
    "targetVersion",
    (["auto", ...targetVersions] as const).map((value) => [value, value]),
    state.targetVersion,
    (value) => onChange({ targetVersion: value }),
  );
  form.replaceChildren(
    labelled("Kind", kind),
    labelled("--line-length", length),
    labelled("--target-version", version),
  );
  for (const [name, flag] of flags) {
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", name, checked: state[name] });
    box.addEventListener("change", () => onChange({ [name]: box.checked }));
    form.append(labelled(flag, box));
  }
}

function choice<Value extends string>(
  name: string,
  values: readonly (readonly [value: Value, shown: string])[],
  chosen: Value,
  onChange: (value: Value) => void,
): HTMLSelectElement {
  const select = document.createElement("select");
  select.name = name;
  for (const [value, shown] of values) select.add(new Option(shown, value, false, value === chosen));
  select.addEventListener("change", () => onChange(select.value as Value));
  return select;
}

function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  const label = document.createElement("label");
  label.append(control, ` ${text}`);
  return label;
}
