import type { Run } from "../../shared/contracts/run.ts";
import type { Submission } from "../../shared/contracts/submissions/submission.ts";
import { type Draws, drawsFrom } from "../../simulator/draws.ts";
import { ENDPOINT_KEY, type Stage, submit, untilEnded } from "./stage.ts";
import { sleep } from "./support/client.ts";

/** Slow enough that users act while the run is active. */
const slow = "sim-vllm?latency=300&p95=700&retryAfter=0";
const faulty = `${slow}&faults=transient:0.2`;
/** Without automatic retries every sixth sample fails, and can succeed when the user retries. */
const failing = `${slow}&faults=500:0.16`;
/** Maximum time that a user waits before an action, ms. */
const WAIT_MS = 900;
/** After this many retries, no sample still fails by chance. */
const MAX_RETRIES = 15;

const models: [name: string, model: string][] = [
  ["paused", faulty],
  ["cancelled", faulty],
  ["cancelled-early", faulty],
  ["cancelled-paused", faulty],
];
const failingModels: [name: string, model: string][] = [
  ["retried", failing],
  ["contested", failing],
];

/** Users pause, resume, cancel, retry and rescore their runs at random moments. */
export async function userScene(stage: Stage): Promise<void> {
  const withSource = (all: typeof models) =>
    all.map(([name, model]) => [name, `${model}&source=${name}`] as const);
  // An action without effect appears in the table with 0.
  for (const action of actions) stage.calls.set(`user: ${action}`, 0);
  const common = { dataset: "few", asUser: true } as const;
  await submit(stage, withSource(models), { ...common, options: { concurrency: 6 } });
  const once = { concurrency: 6, maxRetries: 0 };
  await submit(stage, withSource(failingModels), { ...common, options: once });
  await Promise.all([
    pauseAndRescore(stage),
    cancelAtWork(stage),
    cancelRun(userOf(stage, "cancelled-early")),
    cancelPaused(stage),
    retryUntilWhole(stage),
    retryWhileRescored(stage),
  ]);
}

/** A user who changes one run. */
interface User {
  stage: Stage;
  name: string;
  id: string;
  draws: Draws;
}

function userOf(stage: Stage, name: string): User {
  const id = stage.runs.get(name)?.id ?? "";
  return { stage, name, id, draws: drawsFrom("user", stage.size.seed, name) };
}

const actions = ["pause", "resume", "cancel", "retry", "rescore"] as const;
type Action = (typeof actions)[number];

/** Requests an action; true if it took effect. */
async function act({ stage, id }: User, action: Exclude<Action, "rescore">): Promise<boolean> {
  const body = action === "retry" ? { endpoint: { apiKey: ENDPOINT_KEY } } : {};
  const apiKey = stage.user.key;
  const { status } = await stage.client.call(`/v1/runs/${id}/${action}`, { apiKey, body });
  if (status === 200) count(stage, action);
  return status === 200;
}

function count({ calls }: Stage, action: Action): void {
  calls.set(`user: ${action}`, (calls.get(`user: ${action}`) ?? 0) + 1);
}

const moment = ({ draws }: User) => sleep(WAIT_MS * draws.unit());

const current = ({ stage, id }: User): Promise<Run> => stage.client.untilRead(id);

/** Pauses a run and lets it continue. */
async function meddle(user: User): Promise<void> {
  await moment(user);
  await act(user, "pause");
  await moment(user);
  await goOn(user);
}

/** Resumes a run, also if replies are lost. */
async function goOn(user: User): Promise<void> {
  do await act(user, "resume");
  while ((await current(user)).status === "paused");
}

async function pauseAndRescore(stage: Stage): Promise<void> {
  await meddle(userOf(stage, "paused"));
  await untilEnded(stage, ["paused"]);
  await rescore(stage, "paused", "rescored", { coerceTypes: true });
  await rescore(stage, "paused", "rescored-cancelled", { fieldCaseSensitive: true });
  await Promise.all([
    meddle(userOf(stage, "rescored")),
    cancelRun(userOf(stage, "rescored-cancelled")),
  ]);
  await untilEnded(stage, ["rescored"]);
}

/** Requests a rescoring twice at once with one idempotency key. */
async function rescore(stage: Stage, parent: string, name: string, options: object): Promise<void> {
  const { client, runs, problems, user } = stage;
  const staged = runs.get(parent);
  if (!staged) throw new Error(`there is no run ${parent}`);
  const path = `/v1/runs/${staged.id}/rescore`;
  const request = { apiKey: user.key, body: { options }, idempotencyKey: name };
  const replies = await Promise.all([client.call(path, request), client.call(path, request)]);
  const ids = new Set(replies.flatMap(({ body }) => (body as Submission).runs?.[0]?.id ?? []));
  const [id = ""] = ids;
  if (ids.size === 0) throw new Error(`${name}: ${JSON.stringify(replies[0].body)}`);
  if (ids.size !== 1) problems.push(`${name}: one rescoring made ${ids.size} runs`);
  runs.set(name, { ...staged, id, parent });
  count(stage, "rescore");
}

async function cancelAtWork(stage: Stage): Promise<void> {
  const user = userOf(stage, "cancelled");
  while ((await current(user)).progress.done === 0) await sleep(50);
  await moment(user);
  await cancelRun(user);
}

async function cancelPaused(stage: Stage): Promise<void> {
  const user = userOf(stage, "cancelled-paused");
  await moment(user);
  await act(user, "pause");
  await cancelRun(user);
}

/** Two users cancel at once; then no action must restart the run. */
async function cancelRun(user: User): Promise<void> {
  const { stage, name } = user;
  await Promise.all([act(user, "cancel"), act(user, "cancel")]);
  const { status } = await current(user);
  const staged = stage.runs.get(name);
  // If the run ended before, it stays in the checks of complete runs.
  if (!staged || status !== "cancelled") return;
  staged.end = "cancelled";
  for (const action of ["resume", "retry", "pause"] as const) {
    await moment(user);
    if (await act(user, action)) stage.problems.push(`${name}: ${action} of a ${status} run`);
  }
}

async function retryUntilWhole(stage: Stage): Promise<void> {
  const user = userOf(stage, "retried");
  for (let tried = 0; tried < MAX_RETRIES; tried++) {
    if (!(await untilEnded(stage, ["retried"]))) return;
    if ((await current(user)).progress.failed === 0) return;
    await Promise.all([act(user, "retry"), act(user, "retry")]);
  }
}

/** During a rescoring, its parent must keep the answers. */
async function retryWhileRescored(stage: Stage): Promise<void> {
  const parent = userOf(stage, "contested");
  await untilEnded(stage, ["contested"]);
  await rescore(stage, "contested", "rescored-contested", { coerceTypes: true });
  const child = userOf(stage, "rescored-contested");
  await act(child, "pause");
  const isRetried = await act(parent, "retry");
  if (isRetried && !(await stage.client.hasEnded(child.id))) {
    stage.problems.push("a run was retried while its answers were rescored");
  }
  await goOn(child);
  await untilEnded(stage, ["contested", "rescored-contested"]);
}
