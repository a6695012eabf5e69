// A thread of its own that asks for `/health/liveliness` again and again, and says how long the slowest answer took.
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const agent = new Agent({ keepAlive: true });
let worst = 0;
let pending = 0;

function ask(): void {
  pending = performance.now();
  const request = get(`${workerData}/health/liveliness`, { agent }, (response) => {
    response.resume();
    response.on("end", again);
  });
  request.on("error", again);
}

function again(): void {
  worst = Math.max(worst, performance.now() - pending);
  setTimeout(ask, 2);
}

// Asked for the worst since the last time; what is not answered yet counts as long as it has waited.
parentPort!.on("message", () => {
  parentPort!.postMessage(Math.max(worst, performance.now() - pending));
  worst = 0;
});
ask();
