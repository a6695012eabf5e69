/** The first V8 of which every Node.js release has Maglev switched on: that of Node.js 24. */
const MAGLEV_SINCE = 13;

/** Whether V8 optimizes with Maglev before it does with TurboFan. */
export function hasMaglev(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= MAGLEV_SINCE && ["x64", "arm64"].includes(process.arch);
}
