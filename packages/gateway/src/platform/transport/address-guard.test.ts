import { describe, expect, it } from "vitest";
import { checkCallerUrl, guardedLookup, isPublicAddress } from "./address-guard.ts";

describe("isPublicAddress", () => {
  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "not an address",
  ])("refuses %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["8.8.8.8", "172.32.0.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("checkCallerUrl", () => {
  it.each([
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::ffff:7f00:1]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://db.localhost:5432/",
    "http://①②⑦.0.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://user:secret@8.8.8.8/",
    "ftp://8.8.8.8/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "not a url",
  ])("refuses %s", (url) => {
    expect(() => checkCallerUrl(url)).toThrow();
  });

  it("accepts a public host and leaves names to the lookup", () => {
    expect(checkCallerUrl("https://files.example/a?b=c").href).toBe("https://files.example/a?b=c");
    expect(checkCallerUrl("http://8.8.8.8/").hostname).toBe("8.8.8.8");
  });
});

describe("guardedLookup", () => {
  it("refuses a name that leads to this host", async () => {
    const error = await new Promise<Error | null>((done) => {
      guardedLookup("localhost", { all: true }, (failure) => done(failure));
    });
    expect(error?.message).toContain("not public");
  });
});
