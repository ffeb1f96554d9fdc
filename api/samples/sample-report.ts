import type { Answer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import { asObject, type Json } from "#shared/contracts/json.ts";
import type { TextBlock } from "#shared/contracts/report.ts";
import { ok, type Result } from "#shared/contracts/result.ts";
import type { SampleResult } from "#shared/contracts/run.ts";
import type { SampleReport } from "#shared/contracts/run-report.ts";
import { readStored } from "#shared/measures/report/run/read-stored.ts";
import { sampleBlocks, sampleToShow } from "#shared/measures/report/run/sample-blocks.ts";
import { sampleLook } from "#shared/measures/report/show/sample-look.ts";
import { shownJson, shownText } from "#shared/measures/report/show/shown-text.ts";
import { protocolOf } from "#shared/protocols/protocol-of.ts";
import { UnwritableError } from "#shared/protocols/reply-errors.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import { withSettings } from "../providers/ask-model.ts";
import { type SampleProblem, sampleResult } from "../runs/samples.ts";
import type { RunRecord } from "../runs/schema.ts";

/** Maximum characters of a text, as in a report. */
const MOST_TEXT = 100_000;

/** One sample of a run as its suite shows it, with what was sent and received. */
export async function sampleReport(
  platform: Platform,
  run: RunRecord,
  sampleId: string,
  repeat: number,
): Promise<Result<SampleReport, SampleProblem>> {
  const found = await sampleResult(platform, run, sampleId, repeat);
  if (!found.ok) return found;
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  const { suite } = work;
  const { sample: _, answer: __, said: ___, detail: ____, ...row } = found.value;
  const shown = sampleToShow(suite, found.value);
  const look =
    shown === null || shown.score.detail === null
      ? null
      : readStored(suite, run, () => sampleLook(suite, shown).look, null);
  const request = shown && readStored(suite, run, () => requestFor(work, shown, found.value), null);
  return ok({
    sample: { ...row, look, repeat },
    blocks: sampleBlocks(suite, run, found.value, { isWhole: true }),
    texts: textsOf(work, found.value, request),
  });
}

/**
 * The first request for a sample, built again as lanes build it; null if it depends on answers to other samples, or the
 * answer was made elsewhere.
 */
function requestFor(
  { run, suite, options, plan, cloud }: RunWork,
  { sample }: { sample: unknown },
  { seq, answer }: Pick<SampleResult, "seq" | "answer">,
): ChatRequest | null {
  if (run.endpoint === null) return null;
  const [place, repeat] = [Math.floor(seq / plan.repeats), seq % plan.repeats];
  const unit = plan.units.find((one) => one.repeat === repeat && one.samples.includes(place));
  if (unit === undefined || unit.samples.length > 1) return null;
  const findings = answer.stages && { findings: [answer.stages] };
  const hybrid = cloud?.routing ?? null;
  const step = suite.next({ samples: [sample], options, repeat, hybrid, ...findings }, []);
  return step.kind === "ask" ? withSettings(step.request, run.endpoint) : null;
}

function textsOf(
  { run }: RunWork,
  { sample, answer, said }: SampleResult,
  request: ChatRequest | null,
): TextBlock[] {
  const text = (title: string, its: string, isCode = true) =>
    its === "" ? [] : [shownText(title, its, { most: MOST_TEXT, isCode })];
  const json = (title: string, its: unknown) =>
    its === null || its === undefined ? [] : [shownJson(title, its as Json, { most: MOST_TEXT })];
  const messages = request?.messages.map(({ role, content }) => `${role}:\n${content}`) ?? [];
  return [
    ...text("Raw answer", answer.output ?? ""),
    ...json("Tool calls", answer.toolCalls),
    ...text("Thoughts", said?.thoughts ?? "", false),
    ...text("Prompt", messages.join("\n\n"), false),
    ...json("Schema", request?.structured?.schema ?? asObject(sample)["schema"]),
    ...json(answer.requests > 1 ? "First request" : "Request", bodyOf(run, answer, request)),
  ];
}

/** The request in the format of the endpoint's interface, without what the endpoint refused. */
function bodyOf({ endpoint, refused }: RunRecord, answer: Answer, request: ChatRequest | null) {
  if (endpoint === null || request === null) return null;
  const mode = answer.structuredMode ?? "none";
  const parameters = new Set([...refused.parameters, "stream", "stream_options"]);
  // Recordings are omitted: they are long, and the dataset has them.
  const { audio: _, ...asked } = request;
  const parts = { endpoint, request: asked, mode, refused: parameters, streams: false };
  try {
    return protocolOf(endpoint).body(parts);
  } catch (error) {
    if (error instanceof UnwritableError) return null;
    throw error;
  }
}
