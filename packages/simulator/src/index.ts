export { runSimulatorCommand } from "./command.ts";
export type { Received } from "./journal/received.ts";
export { type Simulator, type SimulatorOptions, startSimulator } from "./server.ts";
