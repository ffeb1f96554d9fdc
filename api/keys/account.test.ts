import { expect, test } from "vitest";
import { localAccount, mayRead, readerOf } from "./account.ts";

const member = { ...localAccount, owner: "acme", scopes: ["submit"] as const };

test.each([
  ["its own", member, "acme", true],
  ["another's", member, "zeta", false],
  ["another's, for an admin", localAccount, "zeta", true],
  ["without an account", null, "acme", false],
])("mayRead() what is private: %s", (_, account, owner, expected) => {
  expect(mayRead(readerOf(account), owner)).toBe(expected);
});
