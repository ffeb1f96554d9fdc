import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commands } from "../../../cli/command-line/commands.ts";
import { commandHelp, helpText } from "../../../cli/command-line/help.ts";
import { runCommand } from "../../../cli/commands/run.ts";
import { runVariables } from "../../../cli/config/override-config.ts";
import { commandsPath, commandsText } from "./commands-file.ts";

it("the committed help is that of the commands (npm run generate)", () => {
  expect(readFileSync(commandsPath, "utf8")).toBe(commandsText());
});

it.each(commands.map((command) => [command.name, command] as const))(
  "help of assay %s fits 100 columns, and wraps at 60",
  (_, command) => {
    const help = commandHelp(command);
    const examples = help.examples.map((line) => `  ${line}`);
    for (const width of [100, 60]) {
      const lines = helpText(help, width).split("\n");
      const long = lines.filter((line) => line.length > width && !examples.includes(line));
      expect(long.filter((line) => !/^(assay| {2,}\S+$| {2}--)/.test(line))).toEqual([]);
    }
  },
);

it("help of assay run names the variable of each flag that has one", () => {
  const named = Object.entries(runCommand.flags).flatMap(([name, flag]) =>
    "env" in flag && name !== "server" ? [[flag.env, name]] : [],
  );
  expect(Object.fromEntries(named)).toEqual(runVariables);
});
