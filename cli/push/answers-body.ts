import type { Visibility } from "#shared/contracts/dataset.ts";
import type { Run } from "#shared/contracts/run.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import type { ServiceClient } from "../remote/service-client.ts";

/** The most that a service takes in one body. */
const MAX_BYTES = 25 * 1024 * 1024;

/** Of how a model is asked, which says nothing to whoever scores its answers. */
const asking = ["concurrency", "timeoutMs", "maxRetries", "maxCostUsd", "sweep"];

/** A submission of a run's answers without them. */
export function pushedHead(run: Run, dataset: string, visibility: Visibility) {
  const { name, url, license, parameters, quantization, simulated } = run.model;
  const card = { url, license, parameters, quantization, promptHash: run.promptHash };
  const { hybridOptions = [] } = suiteById(run.suite) ?? {};
  const left = new Set([...asking, ...hybridOptions]);
  return {
    suite: run.suite,
    dataset,
    visibility,
    options: Object.fromEntries(Object.entries(run.options).filter(([key]) => !left.has(key))),
    model: {
      name,
      ...Object.fromEntries(Object.entries(card).filter(([, value]) => value !== null)),
      ...(simulated && { simulated }),
      ...(run.prices && { prices: run.prices }),
    },
  };
}

/** The submission as JSON, piece by piece, with the answers as they are read. Throws BadInput where it is too large. */
export async function* answersBody(
  here: ServiceClient,
  run: Run,
  { model, ...head }: ReturnType<typeof pushedHead>,
): AsyncGenerator<string> {
  const path = `/v1/runs/${encodeURIComponent(run.id)}/answers.jsonl`;
  const { name, ...card } = model;
  const opening = JSON.stringify({ ...head, models: [{ name, ...card, answers: [] }] });
  const at = opening.lastIndexOf("[]") + 1;
  yield opening.slice(0, at);
  let bytes = opening.length;
  let isFirst = true;
  for await (const line of linesOf(await here.download(path))) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) {
      throw new BadInput(
        `${run.id}: its answers take more than ${MAX_BYTES >> 20} MB, the most that a service takes at once: publish fewer, with --sample`,
      );
    }
    yield isFirst ? line : `,${line}`;
    isFirst = false;
  }
  yield opening.slice(at);
}

/** Lines of a stream that are not empty. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  if (rest !== "") yield rest;
}
