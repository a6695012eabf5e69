// Moves a video of 500 MiB (or of as many as the first argument says) in and out and fails where that takes more than 150 MiB
// of memory beyond what the gateway has at rest.
// It runs the built gateway, as operators do: `npm run build -w portico` comes first.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { transferVideo } from "./transfer.ts";

const program = resolve(import.meta.dirname, "../../dist/main.js");
if (!existsSync(program)) throw new Error("Build the gateway first: npm run build -w portico");
const size = Number(process.argv[2] ?? 500);
const { atRest, peak, uploaded, downloaded } = await transferVideo(size, [program]);
process.stdout.write(
  `${size} MiB: uploaded ${uploaded} bytes, downloaded ${downloaded}; ` +
    `memory ${atRest.toFixed(0)} MiB at rest, ${peak.toFixed(0)} MiB at most\n`,
);
if (peak - atRest > 150 || downloaded !== size * 1024 * 1024) process.exitCode = 1;
