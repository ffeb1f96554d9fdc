import { fileURLToPath } from "node:url";
import { commands } from "../../cli/commands.ts";

/** Where the site reads the commands' help from. */
export const commandsPath = fileURLToPath(
  new URL("../../shared/contracts/commands.gen.json", import.meta.url),
);

/** Name, summary and help of every command, as they are committed. */
export const commandsText = (): string =>
  `${JSON.stringify(
    commands.map(({ name, summary, help }) => ({ name, summary, help })),
    null,
    2,
  )}\n`;
