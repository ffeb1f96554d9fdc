import { expect, it } from "vitest";
import { tokenCostUsd } from "./token-cost.ts";

it("tokenCostUsd() matches a vendor's price list", () => {
  expect(tokenCostUsd(1000, 500, { inputPerMillion: 2.5, outputPerMillion: 10 })).toBe(0.0075);
});
