import { homedir } from "node:os";
import { expect, test, vi } from "vitest";
import { homeFolder } from "./home-folder.ts";

vi.mock("node:os", { spy: true });

test("a user without a home has the file system's root", () => {
  expect(homeFolder()).toBe(homedir());
  vi.mocked(homedir).mockImplementation(() => {
    throw new Error("uv_os_homedir returned ENOENT");
  });
  expect(homeFolder()).toMatch(/^(?:\/|[A-Z]:\\)$/);
});
