import { hasUserInfo } from "#shared/contracts/text/web-address.ts";
import { logProblem } from "../platform/log.ts";

const TIMEOUT_MS = 10_000;

/** Event name in the site's workflow. */
const EVENT = "assay-results";

/** GitHub API address of a repository's dispatches, which start workflows. */
const dispatches = /^https:\/\/api\.github\.com\/repos\/[^/]+\/[^/]+\/dispatches$/;

/**
 * Calls the site's rebuild hook; false if none is set or the call failed. `url`: a deploy hook, which is itself a
 * secret, or a GitHub repository's dispatches, which require a token with write access to contents.
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
      // Without the error, because it may contain the hook's address, which is secret.
      report({});
      return false;
    }
  };
}

/** Refuses redirects, which would send the token elsewhere. */
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
    // GitHub requires a user agent.
    "user-agent": "assay",
    "x-github-api-version": "2022-11-28",
  };
  return { ...init, headers, body: JSON.stringify({ event_type: EVENT }) };
}

const report = (more: { status?: number; reason?: string }) =>
  logProblem("rebuild-hook-failed", more);
