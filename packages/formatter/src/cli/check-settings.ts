import type { Settings } from "../mode/config/settings.ts";
import { productVersion, satisfiesRequiredVersion, styleVersion } from "../mode/versions.ts";
import { usageLine } from "./help.ts";
import type { Style } from "./style.ts";

/** Why a run does not start; its exit code is 1. */
export interface Refusal {
  readonly message: string;
  readonly style: Style;
}

/** Combinations of options that cannot go together, before anything is announced (Black: `main`). */
export function findConflict(settings: Settings): Refusal | undefined {
  const misuse = (text: string): Refusal => ({ message: `${usageLine}\n\n${text}`, style: "bold" });
  if (settings.sources.length > 0 && settings.code !== undefined)
    return misuse("'SRC' and 'code' cannot be passed simultaneously.");
  if (settings.sources.length === 0 && settings.code === undefined)
    return misuse("One of 'SRC' or 'code' is required.");
  if (settings.enabledFeatures.length > 0 && !settings.preview && !settings.unstable)
    return misuse("'--enable-unstable-feature' requires '--preview'.");
  return undefined;
}

/** Requirements that this version or these flags do not meet. */
export function findRefusal(settings: Settings): Refusal | undefined {
  const { requiredVersion } = settings;
  if (requiredVersion !== undefined && requiredVersion !== "" && !satisfiesRequiredVersion(requiredVersion))
    return {
      message: `Oh no! 💥 💔 💥 The required version \`${requiredVersion}\` does not match the running version \`${productVersion}\` (style \`${styleVersion}\`)!`,
      style: "red",
    };
  if (settings.ipynb && settings.pyi)
    return { message: "Cannot pass both `pyi` and `ipynb` flags!", style: "red" };
  if (settings.ipynb && settings.lineRanges.length > 0)
    return { message: "Cannot use --line-ranges with ipynb files.", style: "red" };
  return undefined;
}
