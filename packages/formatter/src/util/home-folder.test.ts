import os from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { homeFolder } from "./home-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("the home folder is the user's", () => {
  expect(homeFolder()).toBe(os.homedir());
  vi.stubEnv("HOME", undefined);
  expect(homeFolder()).toBe(os.homedir());
});

test("without a home it is the file system's root", () => {
  vi.stubEnv("HOME", undefined);
  vi.spyOn(os, "homedir").mockImplementation(() => {
    throw new Error("uv_os_homedir returned ENOENT");
  });
  expect(homeFolder()).toMatch(/^(?:\/|[A-Z]:\\)$/);
});
