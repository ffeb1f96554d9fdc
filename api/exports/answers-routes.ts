import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { fileHeaders, fileResponse, stateOf } from "../http/download.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { answersGoneDetail, areAnswersGone } from "../runs/raw-retention.ts";
import { readableSamples } from "../runs/readable-run.ts";
import { answersJsonl } from "./answers-jsonl.ts";
import { wholeAnswers } from "./whole-answers.ts";

const answers = createRoute({
  method: "get",
  path: "/v1/runs/{id}/answers.jsonl",
  operationId: "exportAnswersJsonl",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "A run's answers as JSON lines that a submission takes",
  description:
    "Each line is a `SubmittedAnswer`, which `POST /v1/submissions` takes unchanged among a model's `answers`, here or at another service, and `assay score` as a file: what was said, why it stopped, times and tokens; of a failed request the error's class. A sample that is answered several times has as many lines. With `whole` they are as they were stored, with what each earned: of these lines a run's statement has the hash, and they hold judgments, times and both sides of a hybrid target, which no submission takes.",
  request: {
    params: z.object({ id: nameSchema }),
    query: z.object({
      whole: z
        .enum(["true", "false"])
        .default("false")
        .meta({ description: "as they were stored, to be verified" }),
    }),
  },
  responses: {
    ...fileResponse(
      "jsonl",
      "One line an answer, in order; of a run under way those that are there",
      '{"id":"fee","output":"{\\"amount\\": 120}","finishReason":"stop","latencyMs":412}\n',
    ),
    ...problemResponses("not-found", "forbidden", "conflict"),
  },
});

/** Answers to be scored elsewhere. */
export const answersJsonlRoutes = apiRouter().openapi(answers, async (c) => {
  const { ports, account } = c.var;
  const run = await readableSamples(ports, account, c.req.valid("param").id);
  if (!run.ok) return problem(c, run.error.type, run.error.detail);
  if (areAnswersGone(run.value, ports.settings, ports.now())) {
    return problem(c, "conflict", answersGoneDetail(run.value));
  }
  const suite = ports.suites.byId(run.value.suite);
  if (!suite) return problem(c, "conflict", `suite "${run.value.suite}" is not offered any more`);
  const isWhole = c.req.valid("query").whole === "true";
  const state = [...stateOf(run.value), ...(isWhole ? ["whole"] : [])];
  const headers = fileHeaders(c, "jsonl", [run.value.id, "answers"], state);
  if (isWhole) return c.body(await wholeAnswers(ports, run.value), 200, headers) as never;
  return c.body(answersJsonl(ports, run.value, suite), 200, headers) as never;
});
