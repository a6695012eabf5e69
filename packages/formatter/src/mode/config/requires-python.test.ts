import { expect, test } from "vitest";
import { inferFromRequiresPython } from "./requires-python.ts";

test.each([
  [">=3.12", ["py312", "py313", "py314", "py315"]],
  ["3.8", ["py38"]],
  [">=3.7,<3.10", ["py37", "py38", "py39"]],
  [">3.13.2", ["py313", "py314", "py315"]],
  [">3.13", ["py314", "py315"]],
  ["==3.8.*", ["py38"]],
  ["~=3.13.1", ["py313", "py314", "py315"]],
  [">=3.13,!=3.14.*", ["py313", "py315"]],
  ["==3.9.7", ["py39"]],
  ["<3.5", ["py33", "py34"]],
  [">= 3.14", ["py314", "py315"]],
  [">3.13rc1", ["py313", "py314", "py315"]],
  [">=3.8,<3.9.post1", ["py38", "py39"]],
  [">=3.14,<1!3.3", ["py314", "py315"]],
  ["===3.14", ["py314"]],
  ["===3.14.2", ["py314"]],
])("%s allows %j", (requirement, versions) => {
  expect(inferFromRequiresPython(requirement)).toEqual(versions);
});

test.each([
  undefined,
  "",
  "nonsense",
  ">=4",
  "2.7",
  "3",
  "3.99",
  ">=3.8,abc",
  "===3.14.*",
  ">3.15,<3.15.post1",
])("%j says nothing usable", (requirement) => {
  expect(inferFromRequiresPython(requirement)).toBeUndefined();
});
