import type { Context } from "hono";

export function ok(c: Context, result: unknown, status: 200 | 201 | 202 = 200): Response {
  return c.json({ success: true, errors: [], messages: [], result }, status);
}

/** The requested page of a list. */
export function paged(c: Context, all: readonly unknown[]): Response {
  const page = Number(c.req.query("page") ?? 1);
  const perPage = Number(c.req.query("per_page") ?? 50);
  const result = all.slice((page - 1) * perPage, page * perPage);
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const info = {
    page,
    per_page: perPage,
    count: result.length,
    total_count: all.length,
    total_pages: pages,
  };
  return c.json({ success: true, errors: [], messages: [], result, result_info: info });
}

export function refusal(
  c: Context,
  status: 400 | 401 | 403 | 404 | 409 | 413,
  code: number,
  message: string,
): Response {
  return c.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    status,
  );
}

export const noScript = (c: Context): Response =>
  refusal(c, 404, 10007, "This Worker does not exist on your account.");
