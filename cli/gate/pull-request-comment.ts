import { readFileSync } from "node:fs";
import { z } from "zod";
import { textHash } from "#shared/contracts/content-hash.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";
import { isUnencrypted } from "../remote/service-access.ts";

const TIMEOUT_MS = 30_000;
const PAGE = 100;
/** Maximum pages of comments that are searched for the earlier comment. */
const MOST_PAGES = 20;
/** GitHub's limit for a comment is 65,536 characters. */
const MAX_CHARS = 60_000;

/** The pull request to comment on. */
export interface PullRequest {
  /** Address of the REST API. */
  api: string;
  repository: string;
  /** Null: the job does not belong to a pull request. */
  number: number | null;
  token: string;
  /** Name of workflow and job; each job has its own comment. */
  job: string;
}

const eventSchema = z.object({ pull_request: z.object({ number: z.int() }) });
const commentsSchema = z.array(z.object({ id: z.int(), body: z.string().nullish() }));

/** The pull request of a GitHub job, from the variables that GitHub sets. Throws BadInput. */
export function pullRequestOf(env: NodeJS.ProcessEnv): PullRequest {
  const { GITHUB_REPOSITORY: repository = "", GITHUB_API_URL: url = "https://api.github.com" } =
    env;
  const token = env["GITHUB_TOKEN"]?.trim() ?? "";
  if (!/^[\w-][\w.-]*\/[\w.-]*[\w-][\w.-]*$/.test(repository)) {
    throw new BadInput("--pr-comment works in a job of GitHub, which sets GITHUB_REPOSITORY");
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const what = token === "" ? "is not set" : "contains characters that are invalid in a token";
    throw new BadInput(
      `--pr-comment: GITHUB_TOKEN ${what}: pass \${{ github.token }} to the step, in a job with the permission pull-requests: write`,
    );
  }
  const api = url.replace(/\/$/, "");
  if (!URL.canParse(api) || isUnencrypted(api)) {
    throw new BadInput(`--pr-comment: GITHUB_API_URL must begin with https://, not "${url}"`);
  }
  const job = [env["GITHUB_WORKFLOW"], env["GITHUB_JOB"]].join("\n");
  return { api, repository, number: numberOf(env), token, job };
}

function numberOf(env: NodeJS.ProcessEnv): number | null {
  const [, ofRef] = /^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "") ?? [];
  if (ofRef !== undefined) return Number(ofRef);
  const path = env["GITHUB_EVENT_PATH"];
  if (!path) return null;
  try {
    const event = eventSchema.safeParse(parsedJson(readFileSync(path, "utf8")));
    return event.data?.pull_request.number ?? null;
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/**
 * Writes the gate's comment on the pull request, which has a hidden marker: updates the comment if it exists,
 * otherwise creates it. Returns the outcome or the reason of a failure: jobs of forks have no permission to comment.
 */
export async function writeComment(
  request: PullRequest,
  markdown: string,
  name: string,
): Promise<string> {
  if (request.number === null) return "no comment: this job does not belong to a pull request";
  const marker = `<!-- assay-gate ${textHash([request.job, name].join("\n")).slice(0, 16)} -->`;
  const text = markdown.length > MAX_CHARS ? `${markdown.slice(0, MAX_CHARS)}\n\n…` : markdown;
  const body = JSON.stringify({ body: `${marker}\n${text}` });
  try {
    const known = await earlierComment(request, marker);
    const comments = `issues/${request.number}/comments`;
    if (known === null) await call(request, comments, { method: "POST", body });
    else await call(request, `issues/comments/${known}`, { method: "PATCH", body });
    return `${known === null ? "wrote a" : "updated the"} comment of pull request ${request.number}`;
  } catch (error) {
    return `no comment: ${(error as Error).message.replaceAll(request.token, "…")}`;
  }
}

async function earlierComment(request: PullRequest, marker: string): Promise<number | null> {
  for (let page = 1; page <= MOST_PAGES; page++) {
    const path = `issues/${request.number}/comments?per_page=${PAGE}&page=${page}`;
    const { data: comments } = commentsSchema.safeParse(
      await call(request, path, { method: "GET" }),
    );
    if (comments === undefined) throw new Error("GitHub returned an unexpected response");
    const found = comments.find(({ body }) => body?.startsWith(marker));
    if (found !== undefined) return found.id;
    if (comments.length < PAGE) return null;
  }
  return null;
}

async function call(
  { api, repository, token }: PullRequest,
  path: string,
  init: { method: string; body?: string },
): Promise<unknown> {
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "user-agent": "assay",
    "x-github-api-version": "2022-11-28",
  };
  const url = `${api}/repos/${repository}/${path}`;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, headers, signal, redirect: "manual" });
  const value = parsedJson(await response.text());
  if (response.ok) return value;
  const advice =
    response.status === 403 || response.status === 404
      ? "; the job needs the permission pull-requests: write, which jobs of forks don't have"
      : "";
  throw new Error(`GitHub answered ${response.status}${advice}`);
}
