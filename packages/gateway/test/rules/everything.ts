import { MASTER_KEY, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Operation, operationsOf } from "./operations.ts";

/**
 * Settings of `general_settings` without which some routes are not there. A feature that is described as optional, and is
 * not on with these, fails `rules.test.ts`.
 * @param issuer where people sign in
 */
export function optionalFeatures(issuer: string): string {
  return `enable_scim: true, sso: {issuer: "${issuer}", client_id: portico}`;
}

/** A gateway with every route that there is; nobody can sign in there. */
export function startWholeGateway(start: typeof startTestGateway = startTestGateway): Promise<TestGateway> {
  const settings = `{master_key: ${MASTER_KEY}, ${optionalFeatures("https://id.invalid")}}`;
  const gateway = "{cache: true, cache_params: {type: local, mode: default_off}, callbacks: [prometheus]}";
  const models = "[{model_name: claude, litellm_params: {model: anthropic/made, mock_response: hello}}]";
  return start({
    config: `model_list: ${models}\ngateway_settings: ${gateway}\ngeneral_settings: ${settings}\n`,
  });
}

/** The operations of every route that there is. */
export async function everyOperation(): Promise<readonly Operation[]> {
  const gateway = await startWholeGateway();
  try {
    return await operationsOf(gateway);
  } finally {
    await gateway.close();
  }
}
