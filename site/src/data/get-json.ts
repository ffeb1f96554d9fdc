// Long enough for a cold API to read a large snapshot, short enough to fail a stuck build.
const timeoutMs = 30_000;

/** Reads JSON from the API, or throws one sentence that says which address failed and what to do. */
export async function getJson(url: string): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { accept: "application/json", "user-agent": "assay-site" },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new Error(`${url} does not answer: start the API or correct ASSAY_ORIGIN.`, { cause });
  }
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}: check that ASSAY_ORIGIN is the API.`);
  }
  return response.json();
}
