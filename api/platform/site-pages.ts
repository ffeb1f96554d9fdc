import { withOrigin } from "#shared/contracts/public-origin.ts";
import { ONE_MOMENT, oneMomentHeaders } from "./one-moment.ts";

/** What may hold the service's address: pages, feeds. */
const holdsAddresses = /^(text\/html|application\/(atom\+)?xml)/;

/** A page of the site, from the Worker that holds its files, with the service's address filled in. */
export async function sitePages(
  site: Pick<Fetcher, "fetch">,
  request: Request,
  origin: string,
): Promise<Response> {
  const response = await answerOf(site, request);
  if (response === null) {
    return new Response(ONE_MOMENT, { status: 503, headers: await oneMomentHeaders() });
  }
  // A copy, since the headers of a fetched response can't be added to.
  if (response.body === null || !holdsAddresses.test(response.headers.get("content-type") ?? "")) {
    return new Response(response.body, response);
  }
  const text = await response.text();
  const page = withOrigin(text, new URL(origin));
  const filled = new Response(page, response);
  filled.headers.delete("content-length");
  // The tag is of the file, which is not what is sent.
  if (page !== text) filled.headers.delete("etag");
  return filled;
}

/** Null while the site's Worker is away: the binding throws or answers 503. */
async function answerOf(site: Pick<Fetcher, "fetch">, request: Request): Promise<Response | null> {
  const { url, method, headers } = request;
  try {
    const response = await site.fetch(url, { method, headers, redirect: "manual" });
    return response.status === 503 ? null : response;
  } catch {
    return null;
  }
}
