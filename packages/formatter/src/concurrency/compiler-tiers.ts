/**
 * V8 optimizes with two compilers, Maglev and then TurboFan. Over Django's 18 MB TurboFan takes a third of all CPU time,
 * and that again in each thread; its code is about a tenth faster, which earns that back only with many times the bytes.
 */
const BYTES_WORTH_TURBOFAN = 100_000_000;

/** The first V8 of which every Node.js release has Maglev switched on: that of Node.js 24. */
const MAGLEV_SINCE = 13;

let isOut = false;

/** Keeps TurboFan out, in this thread and all others, until there are so many bytes of source to format. */
export function chooseCompilers(bytes: number): void {
  const wantsOut = bytes < BYTES_WORTH_TURBOFAN;
  if (wantsOut === isOut || !hasMaglev()) return;
  isOut = wantsOut;
  process.getBuiltinModule("node:v8").setFlagsFromString(wantsOut ? "--no-opt" : "--opt");
}

function hasMaglev(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= MAGLEV_SINCE && ["x64", "arm64"].includes(process.arch);
}
