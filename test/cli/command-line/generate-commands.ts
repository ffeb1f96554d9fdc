import { writeFileSync } from "node:fs";
import { commandsPath, commandsText } from "./commands-file.ts";

writeFileSync(commandsPath, commandsText());
