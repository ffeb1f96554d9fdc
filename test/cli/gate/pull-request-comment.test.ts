import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pullRequestOf, writeComment } from "../../../cli/gate/pull-request-comment.ts";
import { fakeGitHub, jobEnvironment } from "../support/fake-github.ts";
import { aFolder } from "../support/folder-with.ts";

const others = Array.from({ length: 130 }, (_, id) => ({ id, body: `<!-- other ${id} --> hello` }));

describe("writeComment()", () => {
  it("creates one comment and later updates it", async () => {
    await using github = await fakeGitHub([...others]);
    const request = pullRequestOf(jobEnvironment(github.url));
    expect(await writeComment(request, "# First", "extraction a")).toBe(
      "wrote a comment of pull request 7",
    );
    expect(await writeComment(request, "# Second", "extraction a")).toBe(
      "updated the comment of pull request 7",
    );
    const own = github.comments.slice(others.length);
    expect(own).toHaveLength(1);
    expect(own[0]?.body).toMatch(/^<!-- assay-gate [0-9a-f]{16} -->\n# Second$/);
    expect(github.asked[0]?.headers["authorization"]).toBe("Bearer token-123");
  });

  it("writes one comment per job and dataset", async () => {
    await using github = await fakeGitHub([]);
    const env = jobEnvironment(github.url);
    const request = pullRequestOf(env);
    await writeComment(request, "a", "extraction a");
    await writeComment(request, "b", "extraction b");
    await writeComment(pullRequestOf({ ...env, GITHUB_JOB: "other" }), "c", "extraction a");
    expect(github.comments).toHaveLength(3);
  });

  it("shortens a text that is too long for GitHub", async () => {
    await using github = await fakeGitHub([]);
    const request = pullRequestOf(jobEnvironment(github.url));
    await writeComment(request, "x".repeat(70_000), "a");
    expect(github.comments[0]!.body.length).toBeLessThan(65_536);
  });

  it.each([403, 404, 500])(
    "returns a message without the token when GitHub answers %i",
    async (status) => {
      await using github = await fakeGitHub([], status);
      const said = await writeComment(pullRequestOf(jobEnvironment(github.url)), "x", "a");
      expect(said).toContain(`no comment: GitHub answered ${status}`);
      expect(said.includes("pull-requests: write")).toBe(status !== 500);
      expect(said).not.toContain("token-123");
    },
  );
});

describe("pullRequestOf()", () => {
  const env = jobEnvironment("https://api.github.com/");

  it("reads the number from the event if the ref has none", () => {
    const path = join(aFolder(), "event.json");
    writeFileSync(path, JSON.stringify({ pull_request: { number: 12 } }));
    expect(pullRequestOf(env)).toMatchObject({ api: "https://api.github.com", number: 7 });
    const target = { ...env, GITHUB_REF: "refs/heads/main", GITHUB_EVENT_PATH: path };
    expect(pullRequestOf(target).number).toBe(12);
  });

  it("finds no pull request in a job for a branch", async () => {
    const request = pullRequestOf({ ...env, GITHUB_REF: "refs/heads/main" });
    expect(await writeComment(request, "x", "a")).toBe(
      "no comment: this job does not belong to a pull request",
    );
  });

  it.each([
    [{ GITHUB_REPOSITORY: "../x" }, "works in a job of GitHub"],
    [{ GITHUB_TOKEN: " " }, "GITHUB_TOKEN is not set: pass $"],
    [{ GITHUB_TOKEN: "a\nb" }, "GITHUB_TOKEN contains characters"],
    [{ GITHUB_API_URL: "http://github.example" }, "must begin with https://"],
  ])("refuses %j", (more, reason) => {
    expect(() => pullRequestOf({ ...env, ...more })).toThrow(reason);
  });
});
