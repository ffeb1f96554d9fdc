import { expect, it } from "vitest";
import { commandParts } from "./command-help.ts";

const help = `assay keys list [options]
assay keys list --all

Lists keys.

  --json   as JSON

Examples
  assay keys list
  assay keys list \\
    --json`;

it("commandParts() takes a help apart", () => {
  expect(commandParts({ name: "keys list", summary: "", help })).toEqual({
    usage: "assay keys list [options]\nassay keys list --all",
    details: "Lists keys.\n\n  --json   as JSON",
    examples: "assay keys list\nassay keys list \\\n  --json",
  });
});

it("commandParts() has no examples where the help has none", () => {
  const parts = commandParts({ name: "x", summary: "", help: "assay x\n\nDoes x." });
  expect(parts).toEqual({ usage: "assay x", details: "Does x.", examples: "" });
});
