import { createRoute, z } from "@hono/zod-openapi";
import {
  KEYS_PATH,
  publicKeysSchema,
  signedStatementSchema,
} from "#shared/contracts/boards/result-statement.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { accepted } from "../http/refusal.ts";
import { jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, openToAll, takesApiKey } from "../http/router.ts";
import { readableRun } from "../runs/access.ts";
import { signedStatement, unfinished } from "./statement.ts";

const readStatement = createRoute({
  method: "get",
  path: "/v1/runs/{id}/statement",
  operationId: "getStatement",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "The signed statement of a run",
  description:
    "The model, the dataset's version, options, versions, hosts, dates, the hash of the answers and every metric, signed with Ed25519. It never changes; `assay verify` checks it. The signature is a JWS, which libraries in every language can check with a JWKS.",
  request: { params: z.object({ id: nameSchema.meta({ example: "run_01a2b3c4" }) }) },
  responses: {
    200: jsonReply("The statement and its signature", signedStatementSchema),
    304: { description: "Not modified since If-None-Match" },
    ...problemResponses("not-found", "not-ready", "conflict"),
  },
});

const example = {
  keys: [
    {
      kty: "OKP" as const,
      crv: "Ed25519" as const,
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      alg: "EdDSA" as const,
      use: "sig" as const,
    },
  ],
};

const readKeys = createRoute({
  method: "get",
  path: KEYS_PATH,
  operationId: "getPublicKeys",
  security: openToAll,
  tags: ["Runs"],
  summary: "The public keys that sign results",
  description:
    "A JWKS: the current key first, then the keys that it replaced. Empty if the deployment signs nothing.",
  responses: {
    200: {
      description: "The keys",
      content: { "application/json": { schema: publicKeysSchema, example } },
    },
    ...problemResponses("internal-error"),
  },
});

export const statementRoutes = apiRouter()
  .openapi(readStatement, async (c) => {
    const { account, platform } = c.var;
    const run = accepted(await readableRun(platform, account, c.req.valid("param").id));
    const reason = unfinished(run);
    if (reason !== null) return problem(c, reason.type, reason.detail);
    return c.json(await signedStatement(platform, run), 200);
  })
  .openapi(readKeys, async (c) => c.json({ keys: await c.var.platform.signer.keys() }, 200));
