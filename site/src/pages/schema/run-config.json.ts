import type { APIRoute } from "astro";
import { runConfigJsonSchema } from "#shared/contracts/submissions/run-config.ts";

/** JSON Schema for completing config files of `assay run` in editors. */
export const GET: APIRoute = () =>
  new Response(JSON.stringify(runConfigJsonSchema(), null, 2), {
    headers: { "content-type": "application/json; charset=utf-8" },
  });
