import { expect, it } from "vitest";
import { openApi } from "./openapi.ts";
import { schemaHref, schemaPaths, schemasOn } from "./schema-pages.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const calls = (tag: string, schema: object) => ({
  get: { tags: [tag], responses: { 200: { content: { "application/json": { schema } } } } },
});

it("schemaPaths() puts a schema on the page of the only resource that uses it, directly or indirectly", () => {
  const api = {
    info: { title: "", version: "" },
    paths: { "/a": calls("Runs", ref("Run")), "/b": calls("Data sets", ref("Dataset")) },
    components: {
      schemas: {
        Run: { properties: { metric: ref("Metric"), own: ref("Own") } },
        Own: {},
        Dataset: { items: ref("Metric") },
        Metric: {},
        Unused: {},
        "Breakdown-tools": {},
      },
    },
  };
  expect(Object.fromEntries(schemaPaths(api))).toEqual({
    Run: "/docs/runs/",
    Own: "/docs/runs/",
    Dataset: "/docs/data-sets/",
    Metric: "/docs/schemas/",
    Unused: "/docs/schemas/",
    "Breakdown-tools": "/docs/breakdowns/",
  });
});

it("every schema of the API is on one page and linked there", () => {
  const schemas = Object.keys(openApi?.components?.schemas ?? {});
  const pages = [...new Set(schemas.map((name) => schemaHref(name).split("#")[0] ?? ""))];
  expect(pages).toContain("/docs/runs/");
  expect(pages.flatMap((page) => Object.keys(schemasOn(page))).sort()).toEqual(schemas.sort());
  expect(schemaHref("Run")).toBe("/docs/schemas/#schema-run");
  expect(schemaHref("Webhook")).toBe("/docs/webhooks/#schema-webhook");
});
