/** The site's Worker restarts when a new build is put in place: a moment later it answers again. */
const TRIES = 15;
const WAIT_MS = 200;

const unavailable = `<!doctype html><html lang="en"><meta charset="utf-8"><title>One moment</title>
<meta http-equiv="refresh" content="3"><p>The site is being put in place. This page asks again in
three seconds; the API at <a href="/v1/openapi.json">/v1/openapi.json</a> is up.</p>`;

/** Pages of the site, from the Worker that holds its files. */
export function sitePages(site: Fetcher): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const page = await pageOf(site, request);
      if (page !== null) return page;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    const headers = { "content-type": "text/html; charset=utf-8", "retry-after": "3" };
    return new Response(unavailable, { status: 503, headers });
  };
}

/** Null while the site's Worker is away: the binding throws or answers 503. */
async function pageOf(site: Fetcher, request: Request): Promise<Response | null> {
  const { url, method, headers } = request;
  try {
    const response = await site.fetch(url, { method, headers, redirect: "manual" });
    // A copy, since the headers of a fetched response can't be added to.
    return response.status === 503 ? null : new Response(response.body, response);
  } catch {
    return null;
  }
}
