/** A system that an executable is made for. */
export interface Target {
  /** The executable is `jetblack-NAME`. */
  readonly name: string;
  /** Bun's package on npm for that system, without its scope. */
  readonly runtime: string;
  /** Bun's word for the system. */
  readonly bun: string;
  readonly os: NodeJS.Platform;
  readonly cpu: NodeJS.Architecture;
}

/** Whose executables are made; those without `musl` need glibc, as of Debian, Fedora, Ubuntu and the like. */
export const targets: readonly Target[] = [
  { name: "linux-amd64", runtime: "bun-linux-x64", bun: "bun-linux-x64", os: "linux", cpu: "x64" },
  { name: "linux-arm64", runtime: "bun-linux-aarch64", bun: "bun-linux-arm64", os: "linux", cpu: "arm64" },
  {
    name: "linux-amd64-musl",
    runtime: "bun-linux-x64-musl",
    bun: "bun-linux-x64-musl",
    os: "linux",
    cpu: "x64",
  },
  { name: "macos-amd64", runtime: "bun-darwin-x64", bun: "bun-darwin-x64", os: "darwin", cpu: "x64" },
  { name: "macos-arm64", runtime: "bun-darwin-aarch64", bun: "bun-darwin-arm64", os: "darwin", cpu: "arm64" },
  { name: "windows-amd64.exe", runtime: "bun-windows-x64", bun: "bun-windows-x64", os: "win32", cpu: "x64" },
];

/** The target that runs on this machine. */
export function ownTarget(): Target {
  const own = targets.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (own === undefined) throw new Error(`There is no target for ${process.platform} on ${process.arch}.`);
  return own;
}
