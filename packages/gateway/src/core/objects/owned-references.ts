import type { Target } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { ReferenceResolver, ReferringCall } from "../call/model-call.ts";
import { replaceReferences } from "../call/request-references.ts";
import type { Ownership } from "./ownership.ts";

/** Files and containers in requests by what their ids say; the feature that keeps files knows more and takes over. */
export class OwnedReferences implements ReferenceResolver {
  readonly #ownership: Ownership;
  #other: ReferenceResolver | undefined;

  constructor(ownership: Ownership) {
    this.#ownership = ownership;
  }

  /** From now on another one answers. */
  leaveTo(other: ReferenceResolver): void {
    this.#other = other;
  }

  changes(
    data: JsonObject,
    call: ReferringCall,
    target: Target,
    isNative: boolean,
  ): Promise<ReadonlyMap<string, unknown>> {
    if (this.#other !== undefined) return this.#other.changes(data, call, target, isNative);
    return replaceReferences(data, async ({ kind, id }) => {
      const located = await this.#ownership.locate(kind, id, call.principal, call.record);
      return { id: located.providerId ?? id };
    });
  }

  async requireVisible(data: JsonObject, principal: Principal): Promise<void> {
    if (this.#other !== undefined) return this.#other.requireVisible(data, principal);
    await replaceReferences(data, async ({ kind, id }) => {
      await this.#ownership.locate(kind, id, principal);
      return { id };
    });
  }
}
