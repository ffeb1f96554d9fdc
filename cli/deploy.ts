import { existsSync } from "node:fs";
import { join } from "node:path";
import { BadInput } from "./bad-input.ts";
import { deployOptions } from "./deploy/deploy-options.ts";
import { deployUsage } from "./deploy/deploy-usage.ts";
import { noQuestions, terminalQuestions } from "./deploy/questions.ts";
import { runDeploy } from "./deploy/run-deploy.ts";
import { root } from "./local/root.ts";
import { createForOwner, ownerFolder } from "./owner-only.ts";

process.on("SIGINT", () => {
  console.error("\nStopped. The same command goes on from here.");
  process.exit(130);
});

// Configurations, logs and pages of deployments.
createForOwner();

try {
  ownerFolder(join(root, ".deploy"));
  if (existsSync(".env")) process.loadEnvFile();
  const options = deployOptions(process.argv.slice(2), process.env);
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (options.help) console.log(deployUsage);
  else if (!isTerminal && !options.yes && !options.dryRun) {
    throw new BadInput("There is no terminal to ask in: add --yes, and say the rest by flags.");
  } else {
    const questions = options.yes || options.dryRun ? noQuestions : terminalQuestions();
    await runDeploy(options, { questions, env: process.env, tell: (line) => console.log(line) });
  }
} catch (error) {
  const isTold = error instanceof BadInput;
  console.error(isTold ? `\n${error.message}` : error);
  process.exitCode = 1;
}
