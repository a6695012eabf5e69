declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  /** As far as the tests use it; the package comes without types. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: string, listener: (...args: readonly never[]) => void): this;
  }
}
