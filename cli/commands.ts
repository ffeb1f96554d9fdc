import { canaryCommand } from "./commands/canary.ts";
import { cancelCommand } from "./commands/cancel.ts";
import type { Command } from "./commands/command.ts";
import { compareCommand } from "./commands/compare.ts";
import {
  datasetDeleteCommand,
  datasetListCommand,
  datasetShowCommand,
} from "./commands/dataset.ts";
import { datasetStatsCommand, datasetValidateCommand } from "./commands/dataset-check.ts";
import { datasetImportCommand } from "./commands/dataset-import.ts";
import { exportCommand } from "./commands/export.ts";
import {
  importInspectCommand,
  importLmEvalCommand,
  importPromptfooCommand,
} from "./commands/import-answers.ts";
import { importBfclCommand } from "./commands/import-bfcl.ts";
import { initCommand } from "./commands/init.ts";
import { keysCreateCommand, keysListCommand, keysRevokeCommand } from "./commands/keys.ts";
import { reportCommand } from "./commands/report.ts";
import { runCommand } from "./commands/run.ts";
import {
  scheduleDeleteCommand,
  scheduleListCommand,
  schedulePauseCommand,
  scheduleResumeCommand,
  scheduleRunNowCommand,
  scheduleShowCommand,
} from "./commands/schedule.ts";
import { scheduleCreateCommand } from "./commands/schedule-create.ts";
import { scoreCommand } from "./commands/score.ts";
import { statusCommand } from "./commands/status.ts";
import { testConnectionCommand } from "./commands/test-connection.ts";
import { validateConfigCommand } from "./commands/validate-config.ts";
import { verifyCommand } from "./commands/verify.ts";
import {
  webhooksCreateCommand,
  webhooksDeleteCommand,
  webhooksListCommand,
  webhooksPauseCommand,
  webhooksResumeCommand,
  webhooksRotateCommand,
  webhooksShowCommand,
  webhooksTestCommand,
} from "./commands/webhooks.ts";

/** Every command, in the order in which `assay --help` lists them. */
export const commands: readonly Command[] = [
  runCommand as Command,
  initCommand as Command,
  validateConfigCommand as Command,
  testConnectionCommand as Command,
  scoreCommand as Command,
  compareCommand as Command,
  datasetImportCommand as Command,
  datasetListCommand as Command,
  datasetShowCommand as Command,
  datasetDeleteCommand as Command,
  datasetStatsCommand as Command,
  datasetValidateCommand as Command,
  importLmEvalCommand as Command,
  importInspectCommand as Command,
  importPromptfooCommand as Command,
  importBfclCommand as Command,
  statusCommand as Command,
  cancelCommand as Command,
  exportCommand as Command,
  reportCommand as Command,
  verifyCommand as Command,
  scheduleCreateCommand as Command,
  scheduleListCommand as Command,
  scheduleShowCommand as Command,
  scheduleRunNowCommand as Command,
  schedulePauseCommand as Command,
  scheduleResumeCommand as Command,
  scheduleDeleteCommand as Command,
  keysCreateCommand as Command,
  keysListCommand as Command,
  keysRevokeCommand as Command,
  webhooksCreateCommand as Command,
  webhooksListCommand as Command,
  webhooksShowCommand as Command,
  webhooksTestCommand as Command,
  webhooksRotateCommand as Command,
  webhooksPauseCommand as Command,
  webhooksResumeCommand as Command,
  webhooksDeleteCommand as Command,
  canaryCommand as Command,
];
