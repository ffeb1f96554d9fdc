import { fileURLToPath } from "node:url";
import { commands } from "../../../cli/command-line/commands.ts";
import { commandHelp } from "../../../cli/command-line/help.ts";

/** The file from which the site reads the help of every command. */
export const commandsPath = fileURLToPath(
  new URL("../../../shared/contracts/commands.gen.json", import.meta.url),
);

/** Its contents. */
export const commandsText = (): string => `${JSON.stringify(commands.map(commandHelp), null, 2)}\n`;
