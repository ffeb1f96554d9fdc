import { withOrigin } from "#shared/contracts/boards/public-origin.ts";

/** Content types that may contain the service's address: pages, their texts, and feeds. */
const holdsAddresses = /^(text\/(html|markdown|plain)|application\/(atom\+)?xml)/;

/** Addresses of a run's pages, with or without a file on the site, and the page that renders them from the API. */
const RUN_PAGE = /^\/runs\/[\w-]{1,100}(\/samples)?\/?$/;
const viewerOf = (path: string): string =>
  path.replace(RUN_PAGE, (_, samples) => (samples ? "/run/samples/" : "/run/"));

/** A page of the site's Worker, with the service's address filled in. */
export async function sitePages(
  site: Pick<Fetcher, "fetch">,
  request: Request,
  origin: string,
): Promise<Response> {
  const first = await answerOf(site, request);
  const url = new URL(request.url);
  // New, unlisted and old runs have no file: the number of files is limited.
  const isDrawn = first?.status === 404 && RUN_PAGE.test(url.pathname);
  if (isDrawn && !url.pathname.endsWith("/")) {
    return new Response(null, {
      status: 307,
      headers: { location: `${url.pathname}/${url.search}` },
    });
  }
  const response = isDrawn
    ? await answerOf(
        site,
        new Request(new URL(viewerOf(url.pathname), url), { method: request.method }),
      )
    : first;
  if (response === null) {
    return new Response(ONE_MOMENT, { status: 503, headers: await oneMomentHeaders() });
  }
  // A copy, because headers of a fetched response are immutable.
  if (response.body === null || !holdsAddresses.test(response.headers.get("content-type") ?? "")) {
    return new Response(response.body, response);
  }
  const text = await response.text();
  const page = withOrigin(text, new URL(origin));
  const filled = new Response(page, response);
  filled.headers.delete("content-length");
  // The ETag belongs to the file, whose text was changed.
  if (page !== text) filled.headers.delete("etag");
  return filled;
}

/** Null if the site's Worker is unavailable: the binding throws or answers 503. */
async function answerOf(site: Pick<Fetcher, "fetch">, request: Request): Promise<Response | null> {
  const { url, method, headers } = request;
  try {
    const response = await site.fetch(url, { method, headers, redirect: "manual" });
    return response.status === 503 ? null : response;
  } catch {
    return null;
  }
}

/** Seconds until the page reloads. */
const AGAIN_SECONDS = 3;

/** The needed part of the site's style sheets; a test compares both. */
export const style = `
:root{color-scheme:light dark;--paper:light-dark(#fdfcfa,#15171b);--surface:light-dark(#f5f2ec,#1e2126);--line:light-dark(#ddd8ce,#33373e);--ink:light-dark(#1b1d1f,#e9e6e0);--ink-soft:light-dark(#555a62,#a9aeb6);--link:light-dark(#0b57a4,#8ebcf0);--accent:light-dark(#0b4a8f,#8ebcf0);--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;--serif:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;--page:72rem}
*{box-sizing:border-box}
html{font:100%/1.6 var(--sans);color:var(--ink);background:var(--paper);text-size-adjust:100%}
body{margin:0;min-height:100vh;display:flex;flex-direction:column}
.frame{width:100%;max-width:var(--page);margin-inline:auto;padding-inline:clamp(1rem,4vw,2.5rem)}
header{border-bottom:1px solid var(--line)}
header .frame{padding-block:.75rem}
.wordmark{display:inline-flex;align-items:center;gap:.5rem;font:600 1.375rem/1 var(--serif);color:var(--ink);text-decoration:none}
.wordmark path{stroke:var(--accent);stroke-width:2}
.wordmark circle{fill:var(--accent)}
main{flex:1;padding-block:2.5rem 4rem}
h1{font:600 clamp(1.75rem,1.3rem + 2vw,2.5rem)/1.2 var(--serif);letter-spacing:-.01em;margin:0 0 .75rem}
p{max-width:42rem;margin:0 0 1rem}
code{font:.875em var(--mono);overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:1px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
`;

/** The response for any path while the site is unavailable. Needs no other file. */
export const ONE_MOMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${AGAIN_SECONDS}">
<meta name="robots" content="noindex">
<title>One moment · Assay</title>
<style>${style}</style>
</head>
<body>
<header><div class="frame"><a class="wordmark" href="/" aria-label="Assay, home"><svg viewBox="0 0 36 20" width="36" height="20" aria-hidden="true"><path d="M3 10h30M3 5v10M33 5v10"/><circle cx="21" cy="10" r="5"/></svg>Assay</a></div></header>
<main class="frame">
<h1>One moment</h1>
<p role="status">The site is being built. This page loads again every ${AGAIN_SECONDS} seconds until it is there.</p>
<p>The API answers already: <a href="/v1/openapi.json"><code>/v1/openapi.json</code></a> describes its calls.</p>
</main>
</body>
</html>
`;

/** Its headers allow only its own style. */
async function oneMomentHeaders(): Promise<Record<string, string>> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return {
    "content-type": "text/html; charset=utf-8",
    "retry-after": `${AGAIN_SECONDS}`,
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
