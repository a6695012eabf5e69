import { type TargetVersion, targetVersions, versionFeatures } from "../mode/target-version.ts";

/** The versions that have all the features, oldest first (`black/__init__.py` detect_target_versions). */
export function inferTargetVersions(features: number): TargetVersion[] {
  return targetVersions.filter((version) => (features & ~versionFeatures[version]) === 0);
}
