import { createRoute, z } from "@hono/zod-openapi";
import { submissionRequestSchema, submissionSchema } from "#shared/contracts/submission.ts";
import { submissionView } from "../pipeline/submission-view.ts";
import { submit } from "../pipeline/submit.ts";
import { apiRouter, wantsApiKey } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";
import { requireScope } from "./require-scope.ts";

const submission = { "application/json": { schema: submissionSchema } };

const create = createRoute({
  method: "post",
  path: "/v1/submissions",
  tags: ["Submissions"],
  summary: "Submit models for evaluation",
  description:
    "Give each model an `endpoint` that Assay calls, or `answers` made elsewhere. One run is started for each model; follow it at its `links.self`.",
  middleware: requireScope("submit"),
  security: wantsApiKey,
  request: {
    body: { required: true, content: { "application/json": { schema: submissionRequestSchema } } },
  },
  responses: {
    202: {
      description: "Accepted; the runs are queued",
      headers: z.object({ location: z.string() }),
      content: submission,
    },
    ...problemResponses(
      "invalid-request",
      "malformed-json",
      "unauthorized",
      "forbidden",
      "body-too-large",
      "unsupported-media-type",
    ),
  },
});

const read = createRoute({
  method: "get",
  path: "/v1/submissions/{id}",
  tags: ["Submissions"],
  summary: "A submission and its runs",
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: { description: "The submission", content: submission },
    ...problemResponses("not-found"),
  },
});

/** POST and GET of submissions. */
export const submissionRoutes = apiRouter()
  .openapi(create, async (c) => {
    const account = c.var.account;
    if (account === null) return problem(c, "unauthorized", "this deployment wants an API key");
    const anyOwner = account.scopes.includes("admin");
    const submitter = { owner: account.owner, anyOwner };
    const created = await submit(c.var.ports, c.req.valid("json"), submitter);
    if (!created.ok) {
      const detail = `nothing was stored: ${created.error.length} field(s) need a change`;
      return problem(c, "invalid-request", detail, { errors: created.error });
    }
    const stored = await c.var.ports.runs.submission(created.value);
    if (stored === null) throw new Error(`submission ${created.value} is gone`);
    return c.json(submissionView(stored), 202, {
      location: `/v1/submissions/${created.value}`,
    });
  })
  .openapi(read, async (c) => {
    const { id } = c.req.valid("param");
    const stored = await c.var.ports.runs.submission(id);
    if (stored === null) return problem(c, "not-found", `there is no submission "${id}"`);
    return c.json(submissionView(stored), 200);
  });
