import { newCallRecord } from "../../contract/call-record.ts";
import type { Target } from "../../contract/deployment.ts";
import type { Principal } from "../../contract/principal.ts";
import type {
  Reference,
  ReferenceResolver,
  ReferringCall,
  Replacement,
} from "../../core/call/request-references.ts";
import { kindOfObject } from "../../core/objects/owned-references.ts";
import type { LocatedObject, Ownership } from "../../core/objects/ownership.ts";
import { findProvider } from "../../providers/registry.ts";
import { holderOf, withContent } from "./file-content.ts";
import type { FileService } from "./file-service.ts";
import { storedFile } from "./stored-file.ts";

/** The one place where files and containers that a request names become what its provider knows. */
export class RequestReferences implements ReferenceResolver {
  readonly #files: FileService;
  readonly #ownership: Ownership;

  constructor(files: FileService, ownership: Ownership) {
    this.#files = files;
    this.#ownership = ownership;
  }

  async requireVisible({ kind, id }: Reference, principal: Principal): Promise<void> {
    if (kind === "file") await this.#files.locate(id, principal);
    else await this.#ownership.locate(kindOfObject(kind), id, principal);
  }

  async replacement(
    { kind, id, holder, holderName }: Reference,
    { principal, record, signal, room }: ReferringCall,
    target: Target,
    isNative: boolean,
  ): Promise<Replacement> {
    if (kind !== "file") {
      const located = await this.#ownership.locate(kindOfObject(kind), id, principal, record);
      return { id: kind === "address" ? id : (located.providerId ?? id) };
    }
    const located = await this.#files.locate(id, principal, record);
    const context = { signal, call: newCallRecord("afile_content") };
    const part = holder && holderOf(holder, holderName);
    if (part !== undefined && (!isNative || !this.#isTakenThere(located, target)))
      return { holder: await withContent(this.#files, located, holder!, part, principal, context, room) };
    if (storedFile(located.row) === undefined) return { id: located.providerId ?? id };
    const origin = { deployment: target.deployment, provider: target.deployment.provider };
    return { id: await this.#files.copyAt(located.row!, origin, undefined, context) };
  }

  /** Whether the provider has the file, or can be sent it. */
  #isTakenThere({ row }: LocatedObject, { deployment }: Target): boolean {
    return (
      storedFile(row) === undefined || findProvider(deployment.provider)?.resources.has("files") === true
    );
  }
}
