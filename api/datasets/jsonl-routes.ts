import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { datasetRefSchema } from "#shared/contracts/dataset.ts";
import { fileHeaders, fileResponse } from "../http/download.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import type { Account } from "../security/account.ts";
import { datasetJsonl } from "./dataset-jsonl.ts";
import type { Reader } from "./dataset-ports.ts";
import { noSuchDataset } from "./delete-dataset.ts";

const rows = createRoute({
  method: "get",
  path: "/v1/dataset.jsonl",
  operationId: "exportDatasetJsonl",
  security: takesApiKey,
  tags: ["Datasets"],
  summary: "A dataset's samples as JSON lines, all of them",
  description:
    "`POST /v1/datasets` takes them unchanged, and makes the same version of them. An unlisted dataset is there for its owner, and for whoever gives all 64 digits of its version; a private one for its owner alone.",
  request: {
    query: z.object({
      suite: nameSchema.meta({ example: "extraction" }),
      dataset: datasetRefSchema,
    }),
  },
  responses: {
    ...fileResponse(
      "jsonl",
      "One line a sample, in order",
      '{"id":"fee","text":"The annual fee is EUR 120.","schema":{"type":"object"},"expected_output":{"amount":120}}\n',
    ),
    ...problemResponses("not-found", "invalid-request"),
  },
});

/** As whom an account reads datasets. */
export const readerOf = (account: Account | null): Reader => ({
  owner: account?.owner ?? "",
  anyOwner: account?.scopes.includes("admin") ?? false,
});

/** Datasets to be evaluated elsewhere. */
export const datasetJsonlRoutes = apiRouter().openapi(rows, async (c) => {
  const { ports, account } = c.var;
  const { suite, dataset: reference } = c.req.valid("query");
  const [name = "", version = null] = reference.split("@");
  const found = await ports.datasets.find(suite, name, version, readerOf(account));
  if (found === null) {
    const hidden = await ports.datasets.find(suite, name, version);
    const detail =
      hidden?.visibility === "private"
        ? `the dataset "${name}" is private: a key of its owner's account reads its samples`
        : noSuchDataset(suite, reference);
    return problem(c, "not-found", detail);
  }
  // Versions are never changed.
  const headers = fileHeaders(c, "jsonl", [name, found.version.slice(0, 12)], [found.version]);
  return c.body(datasetJsonl(ports.datasets, found), 200, headers) as never;
});
