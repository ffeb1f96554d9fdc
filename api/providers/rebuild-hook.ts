import { hasUserInfo } from "#shared/contracts/text/web-address.ts";

const TIMEOUT_MS = 10_000;

/** The event that the site's workflow waits for. */
const EVENT = "assay-results";

/** GitHub's address of a repository's dispatches, where an event starts a workflow. */
const dispatches = /^https:\/\/api\.github\.com\/repos\/[^/]+\/[^/]+\/dispatches$/;

/**
 * Calls what rebuilds the site; false where nothing is set or it did not take the call. `url`: a deploy hook, which
 * is secret by itself, or a repository's dispatches at GitHub, which want a token that may write its contents.
 */
export function rebuildHook(url: string, token = ""): () => Promise<boolean> {
  return async () => {
    if (url === "") return false;
    if (hasUserInfo(url)) {
      report({ reason: "its address contains a user name or password: remove them" });
      return false;
    }
    try {
      const response = await fetch(url, requestTo(url, token));
      if (!response.ok) report({ status: response.status });
      return response.ok;
    } catch {
      // The hook's address is a secret, so the error, which may name it, is not logged.
      report({});
      return false;
    }
  };
}

/** Sent on, a token would go to whoever is named there. */
function requestTo(url: string, token: string): RequestInit {
  const init = {
    method: "POST",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "manual",
  } as const;
  if (!dispatches.test(url)) return init;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    // GitHub refuses calls without one.
    "user-agent": "assay",
    "x-github-api-version": "2022-11-28",
  };
  return { ...init, headers, body: JSON.stringify({ event_type: EVENT }) };
}

const report = (more: { status?: number; reason?: string }) =>
  console.error(JSON.stringify({ event: "rebuild-hook-failed", ...more }));
