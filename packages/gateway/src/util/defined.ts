type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without those members that are undefined, for types whose optional members may be absent only. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
