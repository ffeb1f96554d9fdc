import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmissionRequest } from "#shared/contracts/submission.ts";
import { boardIdentity } from "./board-identity.ts";
import { checkModels, type Submitter } from "./check-models.ts";
import { laneMessage } from "./messages.ts";
import { newRun } from "./new-run.ts";
import type { NewRun, Ports } from "./ports.ts";
import { type ResolvedSubmission, resolveSubmission } from "./resolve-submission.ts";
import { storeSubmitted } from "./submitted-answers.ts";

/** Accepts a submission: stores it with one run a model and starts them. Nothing is stored half. */
export async function submit(
  ports: Ports,
  request: SubmissionRequest,
  submitter: Submitter,
): Promise<Result<string, FieldError[]>> {
  const resolved = await resolveSubmission(ports, request);
  if (!resolved.ok) return resolved;
  const errors = checkModels(resolved.value, submitter, ports.settings);
  if (errors.length > 0) return err(errors);
  const id = ports.newId("sub");
  const runs = await Promise.all(
    request.models.map((model) => newRun(ports, resolved.value, model, id, submitter.owner)),
  );
  await storeAnswers(ports, resolved.value, runs);
  await ensureBoards(ports, resolved.value, runs);
  const { name, version } = resolved.value.dataset;
  await ports.runs.insert(
    {
      id,
      owner: submitter.owner,
      suite: resolved.value.suite.id,
      datasetName: name,
      datasetVersion: version,
      createdAt: ports.now(),
    },
    runs,
  );
  await ports.queues.lanes(
    runs.flatMap((run) =>
      Array.from({ length: run.lanes }, (_, lane) => laneMessage(run.id, lane)),
    ),
  );
  return ok(id);
}

async function storeAnswers(ports: Ports, submission: ResolvedSubmission, runs: NewRun[]) {
  const { request, plan } = submission;
  for (const [i, model] of request.models.entries()) {
    const run = runs[i];
    if (!run || model.answers === undefined) continue;
    const byId = Map.groupBy(model.answers, (answer) => answer.id);
    const inOrder = plan.heads.flatMap((head) =>
      Array.from({ length: plan.repeats }, (_, repeat) => byId.get(head.id)?.[repeat] ?? null),
    );
    await storeSubmitted(ports.objects, run.id, inOrder);
  }
}

/** Boards exist before their runs, so that a finished run always finds its own. */
async function ensureBoards(ports: Ports, submission: ResolvedSubmission, runs: NewRun[]) {
  const promptHashes = new Set(submission.request.models.map((model) => model.promptHash));
  for (const promptHash of promptHashes) {
    const board = boardIdentity(submission, promptHash);
    if (runs.some((run) => run.boardId === board.id)) await ports.boards.ensure(board, ports.now());
  }
}
