import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./api-app.ts";

const description = `Submit language models for evaluation and read the results.

All bodies are JSON in camelCase; rows of datasets keep their own names. Errors are
\`application/problem+json\` (RFC 9457) with a JSON pointer to each field.

Every route may answer 429 (\`too-many-requests\`): wait as many seconds as \`retry-after\` says. Reads
carry an \`etag\`; sent back as \`if-none-match\` it gets 304 while nothing has changed.

Bodies hold at most 25 MiB and nest at most 64 levels deep. Pages of other origins may read
everything, and write with an API key alone.`;

/** The OpenAPI 3.1 document of the whole service. */
export function describeApi(app: OpenAPIHono<AppEnv>) {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: "1",
      description,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "Submissions", description: "Start evaluations" },
      { name: "Runs", description: "One model on one dataset" },
      { name: "Results", description: "Boards and the published snapshot" },
      { name: "Datasets", description: "What models are evaluated on" },
      { name: "Suites", description: "What is measured" },
      { name: "Keys", description: "Who may submit" },
      { name: "Badges", description: "Scores to embed" },
    ],
  });
}
