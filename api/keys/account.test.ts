import { expect, test } from "vitest";
import { localAccount, mayRead, readerOf } from "./account.ts";

const member = { ...localAccount, owner: "acme", scopes: ["submit"] as const };

test.each([
  ["the owner's own", member, "acme", true],
  ["another account's", member, "zeta", false],
  ["another's, for an admin", localAccount, "zeta", true],
  ["without an account", null, "acme", false],
])("mayRead() of private data: %s", (_, account, owner, expected) => {
  expect(mayRead(readerOf(account), owner)).toBe(expected);
});
