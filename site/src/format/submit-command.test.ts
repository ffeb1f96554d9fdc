import { expect, it } from "vitest";
import { uploadCommand } from "./submit-command.ts";

it("uploadCommand() has suite and dataset in the query, with slashes encoded", () => {
  const [call] = uploadCommand("https://api.example", "tools", "acme/calls").split(" \\\n");
  expect(call).toBe("curl -X POST 'https://api.example/v1/datasets?suite=tools&name=acme%2Fcalls'");
});
