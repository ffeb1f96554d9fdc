import { finished } from "node:stream/promises";
import { command, valueFlag } from "../command-line/command.ts";
import { findingText } from "../config/finding.ts";
import { readRunConfig } from "../config/read-run-config.ts";
import { BadInput } from "../errors.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";

const flags = {
  config: valueFlag(
    "FILE",
    "Config file of assay run: its models can be evaluated by name, with their settings and keys",
  ),
  ...serviceFlags,
} as const;

/** `assay mcp`: offers results of a service to agents. */
export const mcpCommand = command({
  name: "mcp",
  summary: "offer suites, runs and results to agents over MCP",
  description: [
    "Runs a server of the Model Context Protocol on standard input and output, for agents such as Claude Code, Cursor and VS Code, which start it themselves. Its tools list suites, datasets and samples, estimate and start runs, show their status and scores, compare and verify runs, and explain the score of a sample.",
  ],
  flags,
  environment: {
    ...keyVariable,
    "OPENAI_API_KEY, …": "Key of a provider whose models the agent may evaluate",
  },
  exitCodes: { 0: "The client closed the connection" },
  notes: [
    "Read-only unless ASSAY_API_KEY, or the key of assay login, has the scope submit: without it there is no tool that starts runs. Tools never take or show keys. Keys of endpoints come from the environment and are sent only for models of their provider or of the config file.",
    "docs/agents.md, also at /guides/agents/ of a service, has the configuration of each client.",
  ],
  examples: [
    "claude mcp add assay -- npx assay mcp",
    "assay mcp --server https://assay.example.com --config assay.yaml",
  ],
  async run(values, _, { stdin, stdout }) {
    const config = values.config === undefined ? {} : configOf(values.config);
    const service = serviceOf(values, "submit");
    const { hasKey } = service;
    // Imported here, because other commands do not need it.
    const [{ assayServers }, { serveStdio, StdioServerTransport }] = await Promise.all([
      import("../mcp/assay-server.ts"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    const servers = await assayServers({ service, hasKey, config });
    const transport = new StdioServerTransport(stdin, stdout);
    const { close } = serveStdio(servers, { transport });
    // The client closes standard input when it exits.
    await finished(stdin, { writable: false }).catch(() => {});
    await close();
  },
});

/** Throws BadInput for an invalid file. */
function configOf(file: string) {
  const { config, findings } = readRunConfig(file);
  if (config !== null) return config;
  const error = findings.find(({ severity }) => severity === "error")!;
  throw new BadInput(findingText(file, error));
}
