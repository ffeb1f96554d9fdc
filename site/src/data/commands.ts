import type { CommandHelp } from "#shared/contracts/command-help.ts";
import { commandParts } from "#shared/contracts/command-help.ts";
import listed from "../../../shared/contracts/commands.gen.json";

/** A command of `assay` with its page. */
export interface CommandPage extends ReturnType<typeof commandParts> {
  name: string;
  summary: string;
  /** Of its page: words joined by dashes. */
  slug: string;
}

/** Every command, in the order in which `assay --help` lists them. */
export const commandPages: readonly CommandPage[] = (listed as CommandHelp[]).map((help) => ({
  name: help.name,
  summary: help.summary,
  slug: help.name.replaceAll(" ", "-"),
  ...commandParts(help),
}));
