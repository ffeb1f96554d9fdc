import type { JsonObject } from "#shared/contracts/json.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { BadInput } from "../errors.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { downloadedRows } from "./downloaded-rows.ts";

/** Maximum events per line; receivers parse a whole line. */
const LINE_EVENTS = 500;

/**
 * Scores of a run's samples as `gen_ai.evaluation.result` events in OTLP JSON: each line has the logs data of some
 * samples. A sample has an event for each metric with a value, and an event with `error.type` if it has no
 * score. Experimental: OpenTelemetry marks the event as in development. Throws BadInput for a run that is not
 * finished.
 * Source: open-telemetry/semantic-conventions-genai, model/gen-ai/events.yaml.
 */
export async function* otelEvents(service: ServiceClient, id: string): AsyncGenerator<string> {
  const path = `/v1/runs/${encodeURIComponent(id)}`;
  const run = await service.get(path, runSchema);
  if (run.finishedAt === null)
    throw new BadInput(`run ${run.id} is ${run.status}: export it when it is finished`);
  let events: object[] = [];
  for await (const sample of downloadedRows(service, `${path}/samples.jsonl`)) {
    events.push(...eventsOf(run, sample));
    if (events.length < LINE_EVENTS) continue;
    yield `${lineOf(run, events)}\n`;
    events = [];
  }
  if (events.length > 0) yield `${lineOf(run, events)}\n`;
}

function eventsOf(run: Run, sample: JsonObject): object[] {
  const { id, repeat = 0, score, errorClass } = sample;
  const about = [text("assay.sample.id", `${id}`), number("assay.sample.repeat", Number(repeat))];
  const values = Object.keys(run.metrics ?? {}).flatMap((metric) => {
    const value = metric === run.headline ? score : sample[metric];
    return typeof value === "number" ? [[metric, value] as const] : [];
  });
  const failed = typeof errorClass === "string" ? [text("error.type", errorClass)] : [];
  const scored = values.map(([metric, value]) => [
    text("gen_ai.evaluation.name", `assay.${run.suite}.${metric}`),
    number("gen_ai.evaluation.score.value", value),
  ]);
  const without = [text("gen_ai.evaluation.name", `assay.${run.suite}.${run.headline}`)];
  const timeUnixNano = `${Date.parse(run.finishedAt ?? run.createdAt)}000000`;
  return (scored.length === 0 ? [without] : scored).map((scores) => ({
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    eventName: "gen_ai.evaluation.result",
    attributes: [...scores, ...failed, ...about],
  }));
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const number = (key: string, doubleValue: number) => ({ key, value: { doubleValue } });

const lineOf = (run: Run, logRecords: readonly object[]): string =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: {
          attributes: [
            text("service.name", "assay"),
            text("assay.run.id", run.id),
            text("assay.dataset.name", run.dataset.name),
            text("gen_ai.request.model", run.model.asked?.[0] ?? run.model.slug),
          ],
        },
        scopeLogs: [{ scope: { name: "assay", version: run.suiteVersion }, logRecords }],
      },
    ],
  });
