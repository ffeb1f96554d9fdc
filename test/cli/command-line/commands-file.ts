import { fileURLToPath } from "node:url";
import { commands } from "../../../cli/command-line/commands.ts";
import { commandHelp } from "../../../cli/command-line/help.ts";

/** The site reads the help of every command from this file. */
export const commandsPath = fileURLToPath(
  new URL("../../../shared/contracts/commands.gen.json", import.meta.url),
);

export const commandsText = (): string => `${JSON.stringify(commands.map(commandHelp), null, 2)}\n`;
