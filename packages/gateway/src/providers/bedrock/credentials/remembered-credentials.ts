import type { Deployment } from "../../../contract/deployment.ts";
import type { AwsKeys, CredentialCall } from "./aws-keys.ts";
import { credentialsName, findCredentials } from "./find-credentials.ts";

/** Milliseconds before their end at which keys are no longer used. */
const reserve = 120_000;
const mostRemembered = 100;

const remembered = new Map<string, AwsKeys>();

/** As `findCredentials`, which is asked again only shortly before keys end that were given out for a time. */
export async function rememberedCredentials(
  deployment: Deployment,
  call: CredentialCall,
): Promise<AwsKeys | undefined> {
  const name = credentialsName(deployment);
  const known = remembered.get(name);
  if (known?.expiresAt !== undefined && known.expiresAt - reserve > Date.now()) return known;
  const keys = await findCredentials(deployment, call);
  if (keys?.expiresAt !== undefined) {
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(name, keys);
  }
  return keys;
}
