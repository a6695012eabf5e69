// Loaded into the gateway's process: how much processor time its main thread spent at most between two beats of its event
// loop, told to whoever connects to the socket that this module's address names. Time in which other processes had the
// processor does not count, unlike in what a caller waits.
import { createServer } from "node:net";

let last = 0;
let worst = 0;

function beat(): void {
  const { user, system } = process.threadCpuUsage();
  const now = user + system;
  worst = Math.max(worst, now - last);
  last = now;
}

const socket = new URL(import.meta.url).searchParams.get("socket")!;
createServer((connection) => {
  beat();
  connection.end(String(worst / 1000));
  worst = 0;
})
  .listen(socket)
  .unref();
beat();
setInterval(beat, 1).unref();
