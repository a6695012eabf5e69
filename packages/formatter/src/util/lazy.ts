/** Makes a value when it is first asked for: what few runs need is not to cost every run a part of its start. */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
