import { createHash, randomUUID } from "node:crypto";
import { Hono } from "hono";
import { dumpOf, queryOf } from "./dump.ts";
import type { Resources } from "./options.ts";
import { ok, refusal } from "./reply.ts";

/**
 * Exports and imports of D1 for wrangler 4.156 (`src/d1/export.ts`, `src/d1/execute.ts`). The first call starts one;
 * further calls with its bookmark poll for the end. Each file has its own URL.
 */
export function databaseFiles({ data }: Resources): Hono {
  const app = new Hono();
  const files = new Map<string, string>();
  app.post("/:id/export", async (c) => {
    const { current_bookmark: begun } = await c.req.json<{ current_bookmark?: string }>();
    const reply = { success: true, type: "export", messages: [] };
    if (begun === undefined) {
      const bookmark = randomUUID();
      const dump = await dumpOf(queryOf(data), c.req.param("id"));
      files.set(bookmark, `${["PRAGMA defer_foreign_keys=TRUE", ...dump].join(";\n")};\n`);
      return ok(c, { ...reply, at_bookmark: bookmark, status: "active" });
    }
    if (!files.has(begun)) return refusal(c, 400, 7501, "Export not found");
    const signed_url = c.req.url.replace(/[^/]+\/export$/, `files/${begun}`);
    const result = { filename: `${begun}.sql`, signed_url };
    return ok(c, { ...reply, at_bookmark: begun, status: "complete", result });
  });
  app.get("/files/:name", (c) => {
    const file = files.get(c.req.param("name"));
    return file === undefined ? c.text("Not found", 404) : c.text(file);
  });
  app.put("/files/:name", async (c) => {
    const file = await c.req.text();
    files.set(c.req.param("name"), file);
    return c.body(null, 200, { etag: `"${etagOf(file)}"` });
  });
  app.post("/:id/import", async (c) => {
    const asked = await c.req.json<{ action: string; etag?: string; filename?: string }>();
    const reply = { success: true, type: "import", messages: [] };
    if (asked.action === "init") {
      const filename = randomUUID();
      const upload_url = c.req.url.replace(/[^/]+\/import$/, `files/${filename}`);
      return ok(c, { ...reply, filename, upload_url });
    }
    const file = files.get(asked.filename ?? "");
    if (file === undefined || etagOf(file) !== asked.etag) {
      return refusal(c, 400, 7501, "Import not found");
    }
    try {
      const done = await data.query(c.req.param("id"), file, []);
      const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: file.length };
      const result = { num_queries: done.length, final_bookmark: randomUUID(), meta };
      return ok(c, { ...reply, status: "complete", result });
    } catch (error) {
      return ok(c, { ...reply, status: "error", errors: [`${error}`] });
    }
  });
  return app;
}

const etagOf = (file: string) => createHash("md5").update(file).digest("hex");
