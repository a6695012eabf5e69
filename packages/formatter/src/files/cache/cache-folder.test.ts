import { join } from "node:path";
import { expect, test } from "vitest";
import { productVersion } from "../../mode/versions.ts";
import { cacheFolder } from "./cache-folder.ts";

const folderIn = (environment: NodeJS.ProcessEnv, chosen?: string): string =>
  cacheFolder(chosen, environment);

test("the flag wins over the environment, this program's variable over Black's", () => {
  const environment = { JETBLACK_CACHE_DIR: "/own", BLACK_CACHE_DIR: "/black" };
  expect(folderIn(environment, "/flag")).toBe(join("/flag", productVersion));
  expect(folderIn(environment)).toBe(join("/own", productVersion));
});

test("Black's folder is shared without being mixed up; an empty name is none", () => {
  expect(folderIn({ BLACK_CACHE_DIR: "/black" })).toBe(join("/black", "jetblack", productVersion));
  expect(folderIn({ BLACK_CACHE_DIR: "" })).toBe(folderIn({}));
});
