import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { BadInput } from "../errors.ts";
import { idempotentCall } from "../remote/idempotent-call.ts";
import type { ServiceClient } from "../remote/service-client.ts";

const submittedSchema = submissionSchema.pick({ id: true, runs: true });

/** A service's limit for one body. */
const MAX_BYTES = 25 * 1024 * 1024;

/** A submission of one model's answers, without the answers. */
export interface AnswersHead {
  suite: string;
  dataset: string;
  visibility: string;
  options: Readonly<Record<string, unknown>>;
  model: { name: string } & Readonly<Record<string, unknown>>;
}

/** The answers of a submission. */
interface SentAnswers {
  head: AnswersHead;
  /** Each answer as a line of JSON; called for each attempt. */
  lines(): AsyncIterable<string> | Iterable<string>;
  /** Their name in errors, with what to do if they are too large. */
  tooLarge: [name: string, advice: string];
  idempotencyKey?: string;
}

/** Submits answers, which are sent as they are read. Throws BadInput if they are too large. */
export async function submitAnswers(service: ServiceClient, answers: SentAnswers) {
  return idempotentCall(answers.idempotencyKey ?? randomUUID(), async (headers) => {
    const pieces = answersBody(answers);
    return (await service.stream("/v1/submissions", pieces, submittedSchema, headers)).value;
  });
}

async function* answersBody({ head: given, lines, tooLarge }: SentAnswers): AsyncGenerator<string> {
  const { model, ...head } = given;
  const { name, ...card } = model;
  const opening = JSON.stringify({ ...head, models: [{ name, ...card, answers: [] }] });
  const at = opening.lastIndexOf("[]") + 1;
  yield opening.slice(0, at);
  let bytes = opening.length;
  let isFirst = true;
  for await (const line of lines()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) {
      const [name, advice] = tooLarge;
      throw new BadInput(
        `${name} take more than ${MAX_BYTES >> 20} MB, the limit of a service: ${advice}`,
      );
    }
    yield isFirst ? line : `,${line}`;
    isFirst = false;
  }
  yield opening.slice(at);
}
