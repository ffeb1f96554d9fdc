import { expect, it } from "vitest";
import { uploadCommand } from "./submit-command.ts";

it("uploadCommand() names suite and dataset in the query, a slash in the name encoded", () => {
  const [call] = uploadCommand("https://api.example", "tools", "acme/calls").split(" \\\n");
  expect(call).toBe("curl -X POST 'https://api.example/v1/datasets?suite=tools&name=acme%2Fcalls'");
});
