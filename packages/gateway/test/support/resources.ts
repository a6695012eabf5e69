import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { startTestGateway, type TestGateway } from "./gateway.ts";

export const BLUE_KEY = "sk-blue-0123456789";
export const RED_KEY = "sk-red-0123456789";

/** The configuration's keys of two teams that must not see each other's objects; more may follow. */
export const TEAM_KEYS = `
keys:
  - {key: ${BLUE_KEY}, team_id: blue}
  - {key: ${RED_KEY}, team_id: red}
`;

/** What tests of files, batches, videos and containers begin with. */
export interface Resources {
  /** Stands for OpenAI and Azure, also where they are called without a deployment. */
  readonly simulator: Simulator;
  /** Starts a gateway with this YAML in front of it. */
  start(config: string): Promise<TestGateway>;
  /** Ends the gateways, then the simulator. */
  close(): Promise<void>;
}

export async function startResources(): Promise<Resources> {
  const before = { ...process.env };
  const simulator = await startSimulator();
  const gateways: TestGateway[] = [];
  return {
    simulator,
    start: async (config) => {
      const gateway = await startTestGateway({ config: `${config}\n${directProviders(simulator.url)}` });
      gateways.push(gateway);
      return gateway;
    },
    close: async () => {
      for (const gateway of gateways) await gateway.close();
      await simulator.close();
      // A gateway makes its configuration's variables the process's own.
      process.env = before;
    },
  };
}

/** The official client; it tries nothing twice. */
export function clientOf(gateway: TestGateway, apiKey = BLUE_KEY, prefix = "/v1"): OpenAI {
  return new OpenAI({ apiKey, baseURL: gateway.url + prefix, maxRetries: 0 });
}

function directProviders(simulatorUrl: string): string {
  return `
environment_variables:
  OPENAI_API_KEY: sk-direct-openai
  OPENAI_API_BASE: "${simulatorUrl}/openai/v1"
  AZURE_API_KEY: direct-azure
  AZURE_API_BASE: "${simulatorUrl}/azure"
`;
}
