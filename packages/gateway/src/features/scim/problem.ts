import type { BufferedReply } from "../../contract/exchange.ts";

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

/** What SCIM's clients read of an error (RFC 7644, section 3.12). */
export class ScimProblem extends Error {
  readonly status: number;
  readonly scimType: string | undefined;

  constructor(status: number, detail: string, scimType?: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const SCIM_TYPE = { "content-type": "application/scim+json" };

/** The answer that tells of a problem. */
export function problemReply({ status, message, scimType }: ScimProblem): BufferedReply {
  const named = scimType === undefined ? {} : { scimType };
  const body = { schemas: [ERROR], status: String(status), ...named, detail: message };
  return { status, headers: SCIM_TYPE, body: JSON.stringify(body) };
}

export function invalidValue(detail: string): ScimProblem {
  return new ScimProblem(400, detail, "invalidValue");
}
