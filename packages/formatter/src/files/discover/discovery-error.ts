/** The search for files cannot go on: the run ends with exit code 1 before any file is touched. */
export class DiscoveryError extends Error {
  override name = "DiscoveryError";
}
