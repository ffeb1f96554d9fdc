import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import type { Result } from "#shared/contracts/result.ts";
import { submissionEstimateSchema } from "#shared/contracts/submissions/estimate.ts";
import {
  type SubmissionRequest,
  submissionRequestSchema,
  submissionSchema,
} from "#shared/contracts/submissions/submission.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import {
  acceptedHeaders,
  idempotencyHeaders,
  keyConflictProblem,
  repeatableRequest,
  replayedHeader,
} from "../http/idempotency-key.ts";
import { quotaProblem } from "../http/refusal.ts";
import { requireJson, requireScope } from "../http/require-scope.ts";
import {
  bodyProblems,
  chargeProblems,
  jsonBody,
  jsonContent,
  jsonReply,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { type AppContext, apiRouter, takesApiKey, wantsApiKey } from "../http/router.ts";
import { type Account, readerOf } from "../keys/account.ts";
import { quotaOf } from "../keys/quota.ts";
import { createOnce } from "../platform/idempotency.ts";
import { readableSubmission } from "../runs/access.ts";
import { estimateSubmission } from "./estimate-submission.ts";
import type { Submitter } from "./resolve-submission.ts";
import { checkSubmission, type SubmissionRefusal, submit } from "./service.ts";
import { submissionView } from "./submission-view.ts";

const submission = jsonContent(submissionSchema);

const create = createRoute({
  method: "post",
  path: "/v1/submissions",
  operationId: "createSubmission",
  tags: ["Submissions"],
  summary: "Submit models for evaluation",
  description:
    "Each model needs an `endpoint` that Assay calls, or `answers` made elsewhere. Assay starts one run per model, or with `options.sweep` one per model and variant; poll its `links.self`. With `dryRun=true`, Assay checks everything, stores nothing, and returns an estimate.",
  middleware: [requireScope("submit"), requireJson] as const,
  security: wantsApiKey,
  request: {
    headers: idempotencyHeaders,
    query: z.object({
      dryRun: z
        .enum(["true", "false"])
        .default("false")
        .meta({ description: "only validate, and estimate requests, tokens, cost and time" }),
    }),
    body: jsonBody(submissionRequestSchema),
  },
  responses: {
    200: jsonReply("A dry run: the estimate", submissionEstimateSchema),
    202: {
      description: "Accepted; the runs are queued",
      headers: acceptedHeaders,
      content: submission,
    },
    ...problemResponses(...bodyProblems, "gone", "body-too-large", ...chargeProblems),
  },
});

const read = createRoute({
  method: "get",
  path: "/v1/submissions/{id}",
  operationId: "getSubmission",
  security: takesApiKey,
  tags: ["Submissions"],
  summary: "A submission and its runs",
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    200: { description: "The submission", content: submission },
    ...problemResponses("not-found"),
  },
});

export const submissionRoutes = apiRouter()
  .openapi(create, async (c) => {
    const { account, platform } = c.var;
    if (account === null) return problem(c, "unauthorized", "this deployment requires an API key");
    const submitter = await submitterOf(c, account);
    const request = c.req.valid("json");
    if (c.req.valid("query").dryRun === "true") {
      const checked = await checkSubmission(platform, request, submitter);
      if (!checked.ok) return refused(c, checked.error, request);
      return c.json(await estimateSubmission(platform, checked.value, submitter), 200);
    }
    return acceptSubmission(
      c,
      account,
      (id) => submit(platform, request, submitter, id),
      (refusal) => refused(c, refusal, request),
    );
  })
  .openapi(read, async (c) => {
    const { id } = c.req.valid("param");
    const stored = await readableSubmission(c.var.platform, c.var.account, id);
    if (stored === null) return problem(c, "not-found", `there is no submission "${id}"`);
    return c.json(submissionView(stored), 200);
  });

export async function submitterOf(c: AppContext, account: Account): Promise<Submitter> {
  // A private dataset of another account must not be used: the run could outlive the membership.
  const { reads: _, ...acting } = account;
  return {
    ...readerOf(acting),
    ...(account.person !== undefined && { person: account.person }),
    quota: await quotaOf(c.var.platform, account),
  };
}

function refused(c: AppContext, refusal: SubmissionRefusal, { options }: SubmissionRequest) {
  if (refusal.kind === "full") return problem(c, "forbidden", refusal.detail);
  if (refusal.kind === "over-quota") {
    if (options.sweep === undefined) {
      const advice = "submit fewer with options.sample, or wait";
      return quotaProblem(c, refusal, "this submission", advice);
    }
    const lists = Object.values(options.sweep);
    const variants = lists.reduce((product, { length }) => product * length, 1);
    const advice = "shorten a list of options.sweep, submit fewer with options.sample, or wait";
    return quotaProblem(c, refusal, `this submission, in ${variants} variants,`, advice);
  }
  const { errors } = refusal;
  const detail = `nothing was stored: ${counted(errors.length, "invalid field")}`;
  return problem(c, "invalid-request", detail, { errors });
}

/** Creates a submission, once per idempotency key, and answers 202. Errors are mapped by `refuse`. */
export async function acceptSubmission<E>(
  c: AppContext,
  account: Account,
  create: (id: string) => Promise<Result<string, E>>,
  refuse: (error: E) => never,
) {
  const { platform } = c.var;
  const outcome = await createOnce(platform, await repeatableRequest(c, account.owner), {
    idPrefix: "sub",
    find: async (id) => ((await platform.runs.submission(id)) === null ? null : id),
    create,
  });
  if (outcome.kind === "refused") return refuse(outcome.error);
  if (!("value" in outcome)) return keyConflictProblem(c, outcome);
  const id = outcome.value;
  const stored = await readableSubmission(platform, account, id);
  if (stored === null) {
    const detail = `submission "${id}", which an earlier request with this idempotency-key created, was deleted: use a new key to submit again`;
    return problem(c, "gone", detail);
  }
  if (outcome.kind === "replayed") c.header(replayedHeader, "true");
  return c.json(submissionView(stored), 202, { location: `/v1/submissions/${id}` });
}
