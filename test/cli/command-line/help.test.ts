import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resultJsonSchema } from "../../../cli/command-line/command.ts";
import { commands, groups } from "../../../cli/command-line/commands.ts";
import { commandHelp, helpText } from "../../../cli/command-line/help.ts";
import { commandsNamed, modules } from "../../../cli/command-line/run-assay.ts";
import { runCommand } from "../../../cli/commands/run.ts";
import { runVariables } from "../../../cli/config/override-config.ts";
import { root } from "../../../cli/local/root.ts";
import { assay } from "../support/assay.ts";
import { commandsPath, commandsText } from "./commands-file.ts";

it("the generated help file is up to date (npm run generate)", () => {
  expect(readFileSync(commandsPath, "utf8")).toBe(commandsText());
});

it.each(commands.map((command) => [command.name, command] as const))(
  "help of assay %s fits in 100 columns and wraps at 60",
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

it.each(Object.keys(modules))(
  "the module of assay %s has exactly the commands in the list",
  async (first) => {
    const listed = commands.filter(({ name }) => name.split(" ")[0] === first);
    expect(new Set(await commandsNamed(first))).toEqual(new Set(listed));
    expect(listed.length).toBeGreaterThan(0);
  },
);

it("exit codes are 0, 1 or 2, and docs/command-line.md states the meaning of 1 for each command", () => {
  const guide = readFileSync(join(root, "docs/command-line.md"), "utf8");
  const [, section = ""] = /\n## Exit codes\n(.*?)\n## /s.exec(guide) ?? [];
  const documented = [...section.matchAll(/^\| `([a-z -]+)` +\| (.+?) +\|$/gm)];
  const failing = commands.flatMap(({ name, exitCodes = {} }) => {
    expect(Object.keys(exitCodes).filter((code) => !["0", "1", "2"].includes(code))).toEqual([]);
    return exitCodes[1] === undefined ? [] : [[name, exitCodes[1]]];
  });
  const listed = documented.map(([, name = "", meaning = ""]) => [name, meaning]);
  expect(listed.toSorted()).toEqual(failing.toSorted());
});

it.each(commands.map((command) => [command.name, command] as const))(
  "assay %s prints its result as JSON, with a schema",
  async (name, command) => {
    const { code, stdout } = await assay("/none", [...name.split(" "), "--json-schema"]);
    // These print a shell script and protocol messages.
    if (["completion", "mcp"].includes(name)) return expect(code).toBe(2);
    expect([code, stdout]).toEqual([0, `${JSON.stringify(resultJsonSchema(command), null, 2)}\n`]);
    expect(JSON.parse(stdout)).toHaveProperty("$schema");
  },
);

it("flags of assay run that name a variable match runVariables", () => {
  const named = Object.entries(runCommand.flags).flatMap(([name, flag]) =>
    "env" in flag && name !== "server" ? [[flag.env, name]] : [],
  );
  expect(Object.fromEntries(named)).toEqual(runVariables);
});

it("assay --help lists every command once, by group", async () => {
  const { stdout } = await assay("/none", ["--help"]);
  const titles = groups.map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(4);
  const places = titles.map((title) => stdout.indexOf(`\n${title}\n`));
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(places[0]).toBeGreaterThan(0);
  for (const { name, summary } of commands) {
    expect(stdout.match(new RegExp(`^  ${name}( |$)`, "gm")), summary).toHaveLength(1);
  }
  expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
});
