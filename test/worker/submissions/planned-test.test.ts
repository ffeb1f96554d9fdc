import { expect, it } from "vitest";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { harness, relayDataset, submitRun, workOff } from "../support/harness.ts";

async function setUp() {
  const all = harness();
  const dataset = await relayDataset(all.platform, 3);
  const base = await submitRun(all.platform, dataset);
  await workOff(all.platform, all.mail);
  return { ...all, ...serve(all.platform), dataset, base };
}

it("a test is planned with a submission, and kept with its run", async () => {
  const { post, get, dataset, base, platform, mail } = await setUp();
  const plannedTest = { metric: "passed", margin: 0.02, against: base };
  const reply = await post("/v1/submissions", aSubmission(dataset, { options: { plannedTest } }));
  expect(reply.status).toBe(202);
  const { runs } = (await reply.json()) as Submission;
  await workOff(platform, mail);
  const run = (await (await get(`/v1/runs/${runs[0]?.id}`)).json()) as { options: object };
  expect(run.options).toMatchObject({ plannedTest });
  const markdown = await (await get(`/v1/runs/${runs[0]?.id}/report.md`)).text();
  expect(markdown.replaceAll("\\_", "_")).toContain(
    `passed no worse than ${base} by more than 0.02, on 3 samples`,
  );
  expect(markdown).toMatch(/Differs from the plan \| nothing/);
});

it("a test that can't be carried out is refused, each fault with its place", async () => {
  const { post, dataset, base, platform } = await setUp();
  const other = await relayDataset(platform, 4);
  const refused = async (plannedTest: object, on = dataset, model: object = {}) => {
    const reply = await post(
      "/v1/submissions",
      aSubmission(on, { options: { plannedTest } }, model),
    );
    expect(reply.status).toBe(422);
    return (await problemOf(reply)).errors?.map(({ pointer, detail }) => `${pointer} ${detail}`);
  };
  const good = { metric: "passed", margin: 0.02, against: base };
  expect(await refused({ ...good, metric: "eqs" })).toEqual([
    expect.stringContaining('/options/plannedTest/metric "eqs" is not compared'),
  ]);
  expect(await refused({ ...good, margin: 2 })).toEqual([
    expect.stringContaining("/options/plannedTest/metric"),
  ]);
  expect(await refused({ ...good, margin: 0 })).toEqual([
    expect.stringContaining("/options/plannedTest/margin"),
  ]);
  expect(await refused({ ...good, against: "run_none" })).toEqual([
    '/options/plannedTest/against there is no run "run_none"',
  ]);
  expect(await refused(good, other)).toEqual([expect.stringContaining("is on other samples")]);
  const answers = [{ id: "s0", output: "" }];
  expect(await refused(good, dataset, { endpoint: undefined, answers })).toEqual([
    expect.stringContaining("/models/0/answers exist already"),
  ]);
});
