import { expect, it } from "vitest";
import { operatorVariables, readSettings } from "./settings.ts";

it("readSettings() has an operator only if all of its fields are set", () => {
  const env = Object.fromEntries(
    Object.values(operatorVariables).map((name) => [name, `${name} x`]),
  );
  expect(readSettings(env).operator).toEqual({
    name: "ASSAY_OPERATOR_NAME x",
    address: "ASSAY_OPERATOR_ADDRESS x",
    mail: "ASSAY_OPERATOR_MAIL x",
    jurisdiction: "ASSAY_OPERATOR_JURISDICTION x",
  });
  for (const name of Object.values(operatorVariables)) {
    expect(readSettings({ ...env, [name]: " " }).operator).toBeNull();
  }
});
