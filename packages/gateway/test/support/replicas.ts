import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import { openDatabases } from "./shared-postgres.ts";
import { startProvider } from "./token-provider.ts";

/** US dollars for which a model is configured, so that the provider's 100 tokens cost 0.001. */
export const PRICE = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";

/** Gateways before one provider: one on SQLite, or several on one database of PostgreSQL. */
export interface Replicas {
  readonly all: readonly TestGateway[];
  /** The address of the provider. */
  readonly providerUrl: string;
  close(): Promise<void>;
}

/**
 * Starts them, one after the other: the first one makes the schema.
 * @param configOf the configuration, whose models are at the provider's address
 */
export async function startReplicas(
  count: number,
  configOf: (providerUrl: string) => string = oneModel,
  start: (options: TestGatewayOptions) => Promise<TestGateway> = startTestGateway,
): Promise<Replicas> {
  const provider = await startProvider();
  const postgres = count > 1 ? await openDatabases() : undefined;
  const environment = postgres === undefined ? {} : { DATABASE_URL: await postgres.createDatabase() };
  const all: TestGateway[] = [];
  for (let index = 0; index < count; index += 1)
    all.push(await start({ config: configOf(provider.url), environment }));
  return {
    all,
    providerUrl: provider.url,
    close: async () => {
      await Promise.all(all.map((gateway) => gateway.close()));
      await postgres?.stop();
      provider.close();
    },
  };
}

/** One model, `m`, with a price. */
function oneModel(providerUrl: string): string {
  return `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${providerUrl}", api_key: x, ${PRICE}}}
`;
}
