import { expect, it } from "vitest";
import type { Account } from "../keys/account.ts";
import { readsSamples } from "./access.ts";

const holder: Account = {
  owner: "guest",
  scopes: [],
  keyId: null,
  dailySamples: null,
  shared: ["run_1"],
};

it.each<[string, string | null, boolean]>([
  ["of a public dataset", null, true],
  ["of the private dataset of the run's owner", "acme", true],
  ["of another account's private dataset", "bigcorp", false],
])("a share link opens samples %s: %s, %s", (_, samplesOwner, isOpen) => {
  expect(readsSamples({ id: "run_1", owner: "acme", samplesOwner }, holder)).toBe(isOpen);
});
