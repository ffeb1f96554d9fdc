import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Route } from "playwright-core";
import { z } from "zod";
import { suites } from "../../../shared/suites/registry.ts";

/** Origin of the API for pages of built test sites. */
export const apiOrigin = "https://api.assay.example";

/** A request of a page. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: unknown;
}

export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Answers by method and path; a `*` matches one part of the path. */
export type StubRoutes = Record<string, (asked: Asked, parts: string[]) => StubAnswer>;

export const problem = (status: number, detail: string, more: object = {}): StubAnswer => ({
  status,
  body: { type: "about:blank", title: "No", status, detail, retryable: false, ...more },
});

/**
 * Answers API requests of a context's pages with the first matching route, after `delayMs`. Returns the list of
 * requests, which grows.
 */
export async function stubApi(
  context: BrowserContext,
  routes: readonly StubRoutes[],
  delayMs = 0,
): Promise<Asked[]> {
  const all: Asked[] = [];
  await context.route(`${apiOrigin}/**`, async (route) => {
    const asked = askedBy(route);
    all.push(asked);
    const { status = 200, headers, body } = answerTo(asked, routes);
    if (delayMs > 0) await sleep(delayMs);
    await route.fulfill({
      status,
      headers: {
        "content-type": status < 400 ? "application/json" : "application/problem+json",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "etag,location,retry-after,idempotency-replayed",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  });
  return all;
}

function askedBy(route: Route): Asked {
  const request = route.request();
  const { pathname, searchParams } = new URL(request.url());
  const isJsonl = request.headers()["content-type"] === "application/jsonl";
  return {
    method: request.method(),
    path: pathname,
    query: searchParams,
    headers: request.headers(),
    body: isJsonl ? request.postData() : request.postDataJSON(),
  };
}

/**
 * The answer of the first matching route, or 404.
 * @example answerTo(asked, [{ "GET /v1/suites": suitesAnswer }]).status
 */
export function answerTo(asked: Asked, routes: readonly StubRoutes[]): StubAnswer {
  const parts = asked.path.split("/");
  for (const [route, answer] of routes.flatMap(Object.entries<StubRoutes[string]>)) {
    const [method, path = ""] = route.split(" ");
    const wanted = path.split("/");
    const isIt =
      method === asked.method &&
      wanted.length === parts.length &&
      wanted.every((part, i) => part === "*" || part === parts[i]);
    if (!isIt) continue;
    const wildcards = parts.filter((_, i) => wanted[i] === "*").map(decodeURIComponent);
    return answer(asked, wildcards);
  }
  return problem(404, `no such route: ${asked.method} ${asked.path}`);
}

/** The service's answer to GET /v1/suites. */
export const suitesAnswer = (): StubAnswer => ({
  body: {
    suites: suites.map((suite) => ({
      id: suite.id,
      version: suite.version,
      label: suite.label,
      question: suite.question,
      headline: suite.headline,
      metrics: suite.metrics,
      views: suite.views ?? [],
      promptHash: "d".repeat(64),
      sweeps: suite.sweeps ?? {},
      judging: null,
      options: z.toJSONSchema(suite.optionsSchema, { io: "input" }),
    })),
  },
});
