import type { Target } from "../../contract/deployment.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Reference, ReferenceResolver, ReferringCall, Replacement } from "../call/request-references.ts";
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

  async replacement(
    reference: Reference,
    call: ReferringCall,
    target: Target,
    isNative: boolean,
  ): Promise<Replacement> {
    if (this.#other !== undefined) return this.#other.replacement(reference, call, target, isNative);
    const { kind, id } = reference;
    const located = await this.#ownership.locate(kindOfObject(kind), id, call.principal, call.record);
    return { id: kind === "address" ? id : (located.providerId ?? id) };
  }

  async requireVisible(reference: Reference, principal: Principal): Promise<void> {
    if (this.#other !== undefined) return this.#other.requireVisible(reference, principal);
    await this.#ownership.locate(kindOfObject(reference.kind), reference.id, principal);
  }
}

/** As what the owner of a reference's object is looked up. */
export function kindOfObject<Kind extends string>(kind: Kind): Exclude<Kind, "address"> | "file" {
  return kind === "address" ? "file" : (kind as Exclude<Kind, "address">);
}
