import { describe, expect, it } from "vitest";
import { pricesSchema, withDeprecatedPrices } from "./prices.ts";

describe("pricesSchema", () => {
  it.for([
    [{ inputPerMillion: 0.15, outputPerMillion: 0.6 }],
    [{ inputPer1k: 0.00015, outputPer1k: 0.0006 }],
    [{ inputPerMillion: 0.15, outputPer1k: 0.0006 }],
  ])("reads %j as USD per million tokens", ([given]) => {
    expect(pricesSchema.parse(given)).toEqual({ inputPerMillion: 0.15, outputPerMillion: 0.6 });
  });

  it.for<[object, string, string]>([
    [{ inputPerMillion: 1 }, "outputPerMillion", "is required: USD per million output tokens"],
    [
      { inputPerMillion: 1, inputPer1k: 0.001, outputPerMillion: 2 },
      "inputPerMillion",
      "give inputPerMillion or inputPer1k, not both",
    ],
    [{ inputPerMillion: -1, outputPerMillion: 2 }, "inputPerMillion", "expected number to be >=0"],
  ])("refuses %j", ([given, path, message]) => {
    const [issue] = pricesSchema.safeParse(given).error?.issues ?? [];
    expect(issue?.path).toEqual([path]);
    expect(issue?.message).toContain(message);
  });

  it("reads back what replies state", () => {
    const prices = { inputPerMillion: 0.07, outputPerMillion: 1.1 };
    const { inputPer1k, outputPer1k } = withDeprecatedPrices(prices)!;
    expect({ inputPer1k, outputPer1k }).toEqual({ inputPer1k: 0.00007, outputPer1k: 0.0011 });
    expect(pricesSchema.parse({ inputPer1k, outputPer1k })).toEqual(prices);
  });
});
