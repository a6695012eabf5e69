/** The value of the first cookie of a name in a `cookie` header; undefined where there is none. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const cookies = (header ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
