import { expect, it } from "vitest";
import { operatorVariables, readSettings } from "./settings.ts";

it("readSettings() names an operator if all of it is set, else none", () => {
  const given = Object.fromEntries(
    Object.values(operatorVariables).map((name) => [name, `${name} x`]),
  );
  expect(readSettings(given).operator).toEqual({
    name: "ASSAY_OPERATOR_NAME x",
    address: "ASSAY_OPERATOR_ADDRESS x",
    mail: "ASSAY_OPERATOR_MAIL x",
    jurisdiction: "ASSAY_OPERATOR_JURISDICTION x",
  });
  for (const name of Object.values(operatorVariables)) {
    expect(readSettings({ ...given, [name]: " " }).operator).toBeNull();
  }
});
