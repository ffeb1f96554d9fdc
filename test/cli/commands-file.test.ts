import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commands } from "../../cli/commands.ts";
import { commandsPath, commandsText } from "./commands-file.ts";

it("the committed help is that of the commands (npm run generate)", () => {
  expect(readFileSync(commandsPath, "utf8")).toBe(commandsText());
});

it.each(commands.map(({ name, help }) => [name, help]))(
  "help of assay %s fits a terminal",
  (_, help) => {
    expect(help.split("\n").filter((line) => line.length > 112)).toEqual([]);
  },
);
