/** This package's version. */
export const productVersion = "0.1.0";

/** The release of Black whose output is reproduced. */
export const styleVersion = "26.10.1";

/** Whether `required-version` is met: either version, in full or its first number (Black compares the same way). */
export function satisfiesRequiredVersion(required: string): boolean {
  return [productVersion, styleVersion].some(
    (version) => required === version || required === version.split(".")[0],
  );
}
