import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandsPath, commandsText } from "./commands-file.ts";

it("the committed help is that of the commands (npm run generate)", () => {
  expect(readFileSync(commandsPath, "utf8")).toBe(commandsText());
});
