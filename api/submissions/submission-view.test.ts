import { expect, it } from "vitest";
import type { NewSubmission, RunRecord } from "../runs/schema.ts";
import { submissionView } from "./submission-view.ts";

const submission = {
  id: "sub_1",
  suite: "relay",
  datasetName: "words",
  datasetVersion: "ab12",
  createdAt: 0,
} as NewSubmission;
const viewOf = (statuses: RunRecord["status"][], more: Partial<RunRecord> = {}) =>
  submissionView({
    submission,
    runs: statuses.map(
      (status, i) =>
        ({
          id: `run_${i}`,
          modelSlug: "acme/m",
          variant: null,
          parentId: null,
          status,
          ...more,
        }) as RunRecord,
    ),
  });

it.each<[wanted: string, statuses: RunRecord["status"][]]>([
  ["queued", ["queued", "queued"]],
  ["running", ["queued", "running"]],
  ["running", ["finished", "queued"]],
  ["running", ["paused", "finished"]],
  ["finished", ["finished", "finished"]],
  ["finished", ["finished", "failed", "cancelled"]],
  ["failed", ["failed", "failed"]],
  ["cancelled", ["cancelled", "cancelled"]],
])("submissionView() is %s if its runs are %j", (wanted, statuses) => {
  const view = viewOf(statuses);
  expect(view.status).toBe(wanted);
  expect(view.runs.map(({ status }) => status)).toEqual(statuses);
});

it("submissionView() links the sweep if its runs are variants of this submission", () => {
  const variant = { temperature: 0.7 };
  const link = "/v1/submissions/sub_1/sweep";
  expect(viewOf(["finished"], { variant }).links.sweep).toBe(link);
  expect(viewOf(["finished"], { variant, parentId: "run_0" }).links.sweep).toBeNull();
  expect(viewOf(["finished"]).links.sweep).toBeNull();
});
