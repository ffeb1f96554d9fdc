import { expect, it } from "vitest";
import { pricesSchema } from "./prices.ts";

it.for<[object, string, string]>([
  [{ inputPerMillion: 1 }, "outputPerMillion", "is required: USD per million output tokens"],
  [{ inputPerMillion: -1, outputPerMillion: 2 }, "inputPerMillion", "expected number to be >=0"],
  [{ inputPerMillion: "1", outputPerMillion: 2 }, "inputPerMillion", "expected number"],
])("pricesSchema refuses %j", ([given, path, message]) => {
  const [issue] = pricesSchema.safeParse(given).error?.issues ?? [];
  expect(issue?.path).toEqual([path]);
  expect(issue?.message).toContain(message);
});
