import { type Asked, fakeService, type Reply } from "./fake-service.ts";

interface Comment {
  id: number;
  body: string;
}

/**
 * Stand-in for GitHub's REST API with the comments of pull request 7 of acme/model; refuses all requests with `status`.
 */
export async function fakeGitHub(comments: Comment[], status?: number) {
  const path = "/repos/acme/model/issues";
  const answer = ({ call, body }: Asked): Reply => {
    const [method = "", url = ""] = call.split(" ");
    const { pathname, searchParams } = new URL(url, "http://github");
    if (status !== undefined) return { status, body: { message: "no token-123" } };
    if (method === "GET" && pathname === `${path}/7/comments`) {
      const [size, page] = ["per_page", "page"].map((name) => Number(searchParams.get(name)));
      return { body: comments.slice((page! - 1) * size!, page! * size!) };
    }
    const { body: text } = (body ?? {}) as { body: string };
    if (method === "POST" && pathname === `${path}/7/comments`) {
      comments.push({ id: 1000 + comments.length, body: text });
      return { status: 201, body: comments.at(-1)! };
    }
    const known = comments.find(({ id }) => pathname === `${path}/comments/${id}`);
    if (method !== "PATCH" || known === undefined) return { status: 404, body: {} };
    known.body = text;
    return { body: known };
  };
  return Object.assign(await fakeService(answer), { comments });
}

/** The variables of a job for that pull request. */
export const jobEnvironment = (api: string) => ({
  GITHUB_API_URL: api,
  GITHUB_REPOSITORY: "acme/model",
  GITHUB_REF: "refs/pull/7/merge",
  GITHUB_TOKEN: "token-123",
  GITHUB_WORKFLOW: "gate",
  GITHUB_JOB: "gate",
});
