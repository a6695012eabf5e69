import type { Deployment } from "../../../contract/deployment.ts";
import { IssuedCredentials } from "../../issued-credentials.ts";
import type { AwsKeys, CredentialCall } from "./aws-keys.ts";
import { credentialsName, findCredentials } from "./find-credentials.ts";

const issued = new IssuedCredentials<AwsKeys | undefined>();

/** As `findCredentials`, which is asked again only shortly before keys end that were given out for a time. */
export function rememberedCredentials(
  deployment: Deployment,
  call: CredentialCall,
): Promise<AwsKeys | undefined> {
  return issued.get(credentialsName(deployment), call.signal, async () => {
    const credentials = await findCredentials(deployment, call);
    return { credentials, expiresAt: credentials?.expiresAt };
  });
}
