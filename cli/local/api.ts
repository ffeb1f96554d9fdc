import type { CanaryReport } from "#shared/contracts/canary.ts";
import type { Dataset } from "#shared/contracts/dataset.ts";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Submission } from "#shared/contracts/submission.ts";
import { problemLines } from "../remote/problem-lines.ts";
import { UserError } from "./processes.ts";

/** The service's API, as far as the commands here use it. */
export function apiClient(origin: string) {
  const call = async <T>(path: string, init?: RequestInit): Promise<T> =>
    read(path, await fetch(`${origin}${path}`, init));
  const read = async <T>(path: string, response: Response): Promise<T> => {
    if (response.ok) return (await response.json()) as T;
    const lines = (await problemLines(response)) ?? [`${path}: ${response.status}`];
    throw new UserError(lines.join("\n  "));
  };
  return {
    uploadDataset: (suite: string, name: string, jsonl: string) =>
      call<Dataset>(`/v1/datasets?${new URLSearchParams({ suite, name })}`, {
        method: "POST",
        headers: { "content-type": "application/jsonl" },
        body: jsonl,
      }),
    submit: (body: unknown) =>
      call<Submission>("/v1/submissions", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    canaries: (suite: string) => call<CanaryReport>(`/v1/suites/${suite}/canaries`),
    submitCanaries: (suite: string, dataset: string) =>
      call<Submission>(`/v1/suites/${suite}/canaries`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ dataset }),
      }),
    submission: (id: string) => call<Submission>(`/v1/submissions/${id}`),
    run: (id: string) => call<Run>(`/v1/runs/${id}`),
    /** Null where nothing stands on the board yet. */
    leaderboard: async (suite: string, dataset: string) => {
      const path = `/v1/leaderboard?${new URLSearchParams({ suite, dataset })}`;
      const response = await fetch(`${origin}${path}`);
      return response.status === 404 ? null : read<Leaderboard>(path, response);
    },
  };
}
