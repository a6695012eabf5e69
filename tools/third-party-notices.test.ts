import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { noticesFile, thirdPartyNotices } from "./third-party-notices.ts";

it("names every package that ends up in a bundle; `npm run notices` brings it up to date", async () => {
  expect(readFileSync(noticesFile, "utf8")).toBe(await thirdPartyNotices());
});
