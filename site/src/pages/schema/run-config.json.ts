import type { APIRoute } from "astro";
import { runConfigJsonSchema } from "#shared/contracts/submissions/run-config.ts";

/** For completion of `assay run` config files in editors. */
export const GET: APIRoute = () =>
  new Response(JSON.stringify(runConfigJsonSchema(), null, 2), {
    headers: { "content-type": "application/json; charset=utf-8" },
  });
