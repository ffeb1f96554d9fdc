import { expect, it } from "vitest";
import { callerAddress } from "./rate-limit.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2:ffff::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["no address", "local"],
  [undefined, "local"],
])("callerAddress(%j) is %j", (address, caller) => {
  expect(callerAddress(address)).toBe(caller);
});
