import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandHelp, helpText } from "./command-line/help.ts";
import { deployCommand, deployOptions } from "./deploy/deploy-options.ts";
import { noQuestions, terminalQuestions } from "./deploy/questions.ts";
import { runDeploy } from "./deploy/run-deploy.ts";
import { spawnWrangler, wranglerClient } from "./deploy/wrangler-client.ts";
import { BadInput } from "./errors.ts";
import { createForOwner, ownerFolder } from "./files/owner-only.ts";
import { root } from "./local/root.ts";

process.on("SIGINT", () => {
  console.error("\nStopped. Run the same command to continue.");
  process.exit(130);
});

// Configurations, logs and pages of deployments.
createForOwner();

try {
  ownerFolder(join(root, ".deploy"));
  if (existsSync(".env")) process.loadEnvFile();
  const options = deployOptions(process.argv.slice(2), process.env);
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (options.help) console.log(helpText(commandHelp(deployCommand), process.stdout.columns));
  else if (!isTerminal && !options.yes && !options.dryRun) {
    throw new BadInput("Not a terminal: add --yes and give everything else as flags.");
  } else {
    const questions = options.yes || options.dryRun ? noQuestions : terminalQuestions();
    const wrangler = wranglerClient(spawnWrangler);
    await runDeploy(options, { questions, env: process.env, print: console.log, wrangler });
  }
} catch (error) {
  const isExpected = error instanceof BadInput;
  console.error(isExpected ? `\n${error.message}` : error);
  process.exitCode = isExpected ? 2 : 1;
}
