/** Whose the things are that a call makes and that are kept of it. */
export type OwnerKind = "key" | "user" | "team";

/** What a principal has that names it as an owner. */
interface Owner {
  readonly generations?: Readonly<Partial<Record<OwnerKind, number>>>;
  readonly keyHash: string;
  readonly ownerHash?: string;
}

/**
 * The name of an owner of things. One whose id somebody had before gets another name, so that nothing of the deleted one
 * is its own; no id makes the names alike.
 */
export function ownerName({ generations }: Pick<Owner, "generations">, kind: OwnerKind, id: string): string {
  const generation = generations?.[kind] ?? 0;
  return generation === 0 ? `${kind}:${id}` : `${kind}#${generation}:${id}`;
}

/** The name of a key as an owner, which stays when it is renewed. */
export function keyOwnerName(principal: Owner): string {
  return ownerName(principal, "key", principal.ownerHash ?? principal.keyHash);
}

/** Names what is spent on a model under a level. */
export function modelOwner(owner: string, model: string): string {
  return `model ${owner} ${model}`;
}

const ownerNames = /^(key|user|team)(?:#(\d+))?:(.*)$/s;

/** What the name of an owner says of whoever has it. */
export function ownerIn(name: string): Partial<Omit<Owner, "keyHash">> & { readonly isHeldByOthers?: true } {
  const [, kind, generation, id] = ownerNames.exec(name) ?? [];
  return {
    ...(generation === undefined ? {} : { generations: { [kind as OwnerKind]: Number(generation) } }),
    ...(kind === "key" ? { ownerHash: id!, isHeldByOthers: true } : {}),
  };
}
