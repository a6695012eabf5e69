/** A provider's address without the operation and the query; its origin where the operation is not at its end. */
export function addressBase(url: string, path: string): string {
  const question = url.indexOf("?");
  const plain = question === -1 ? url : url.slice(0, question);
  return plain.endsWith(path) ? plain.slice(0, -path.length) : new URL(url).origin;
}
