import { isIP } from "node:net";
import { type Option, WrongValue } from "../option.ts";

/** A list of IP addresses and networks (`10.0.0.0/8`, `fd00::/8`). */
export function networks(doc: string): Option<readonly string[]> {
  return {
    shape: "a list of addresses and networks",
    initial: [],
    doc,
    read: (value) => {
      const list = typeof value === "string" ? [value] : value;
      if (!Array.isArray(list)) return new WrongValue("expected a list of addresses and networks");
      const wrong = list.findIndex((item) => !isNetwork(item));
      if (wrong === -1) return list as string[];
      return new WrongValue("expected an IP address, or a network such as 10.0.0.0/8", [wrong]);
    },
  };
}

function isNetwork(value: unknown): boolean {
  const [address = "", prefix, ...more] = String(value).split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}
