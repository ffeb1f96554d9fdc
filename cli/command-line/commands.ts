import { canaryCommand } from "../commands/canary.ts";
import { compareCommand } from "../commands/compare.ts";
import { datasetStatsCommand, datasetValidateCommand } from "../commands/dataset/check-dataset.ts";
import { datasetRulesCommand } from "../commands/dataset/dataset-rules.ts";
import { datasetImportCommand } from "../commands/dataset/import-dataset.ts";
import {
  datasetDeleteCommand,
  datasetListCommand,
  datasetShowCommand,
  datasetTimelineCommand,
  datasetVisibilityCommand,
} from "../commands/dataset/manage-datasets.ts";
import { datasetStreamCommand } from "../commands/dataset/stream-dataset.ts";
import { exportCommand } from "../commands/export.ts";
import { importAnswersCommands } from "../commands/import/import-answers.ts";
import { importBfclCommand } from "../commands/import/import-bfcl.ts";
import { importBfclResultsCommand } from "../commands/import/import-bfcl-results.ts";
import { initCommand } from "../commands/init.ts";
import { judgeCommand } from "../commands/judge.ts";
import { judgesCommands } from "../commands/judges.ts";
import { keysCommands } from "../commands/keys.ts";
import { loginCommands } from "../commands/login.ts";
import { mcpCommand } from "../commands/mcp.ts";
import { pairsCommand } from "../commands/pairs.ts";
import { planCommand } from "../commands/plan.ts";
import { ratingsCommand } from "../commands/ratings.ts";
import { reportCommand } from "../commands/report.ts";
import { rescoreCommand } from "../commands/rescore.ts";
import { runCommand } from "../commands/run.ts";
import { runnerCommand } from "../commands/runner.ts";
import { scheduleCommands } from "../commands/schedule.ts";
import { scheduleCreateCommand } from "../commands/schedule-create.ts";
import { scoreCommand } from "../commands/score.ts";
import { shareCommands } from "../commands/share.ts";
import { cancelCommand, statusCommand } from "../commands/status.ts";
import { testConnectionCommand } from "../commands/test-connection.ts";
import { validateConfigCommand } from "../commands/validate-config.ts";
import { verifyCommand } from "../commands/verify.ts";
import { webhooksCommands } from "../commands/webhooks.ts";
import { parityCommands } from "../gate/parity-commands.ts";
import { accountCommands } from "../remote/account-commands.ts";
import { auditCommand } from "../remote/audit-command.ts";
import { organisationCommands } from "../remote/organisation-commands.ts";
import { quotasCommand, usageCommand } from "../remote/usage-commands.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";

/** Commands by purpose, in the order of `assay --help`. */
export const groups: readonly { title: string; commands: readonly Command[] }[] = [
  {
    title: "Evaluate",
    commands: [
      runCommand,
      initCommand,
      validateConfigCommand,
      testConnectionCommand,
      scoreCommand,
      judgeCommand,
      planCommand,
    ],
  },
  {
    title: "Results",
    commands: [
      statusCommand,
      cancelCommand,
      ...shareCommands,
      compareCommand,
      reportCommand,
      exportCommand,
      verifyCommand,
      rescoreCommand,
      pairsCommand,
      ratingsCommand,
    ],
  },
  {
    title: "Datasets",
    commands: [
      datasetImportCommand,
      datasetStreamCommand,
      datasetRulesCommand,
      datasetListCommand,
      datasetShowCommand,
      datasetTimelineCommand,
      datasetVisibilityCommand,
      datasetDeleteCommand,
      datasetStatsCommand,
      datasetValidateCommand,
    ],
  },
  {
    title: "From other tools",
    commands: [...importAnswersCommands, importBfclCommand, importBfclResultsCommand],
  },
  {
    title: "Over time and across hosts",
    commands: [scheduleCreateCommand, ...scheduleCommands, ...parityCommands],
  },
  { title: "Judges", commands: [...judgesCommands, canaryCommand] },
  {
    title: "Service and integrations",
    commands: [
      ...loginCommands,
      ...organisationCommands,
      ...keysCommands,
      ...accountCommands,
      usageCommand,
      quotasCommand,
      auditCommand,
      ...webhooksCommands,
      runnerCommand,
      mcpCommand,
      completionCommand(() => commands),
    ],
  },
];

/** Every command. */
export const commands: readonly Command[] = groups.flatMap((group) => group.commands);
