import { localClient } from "../../cli/local/load-stock.ts";
import { ServiceError } from "../../cli/remote/service-error.ts";
import { type Leaderboard, leaderboardSchema } from "../../shared/contracts/boards/leaderboard.ts";
import { datasetSchema } from "../../shared/contracts/datasets/dataset.ts";
import { type Run, runSchema } from "../../shared/contracts/run.ts";
import {
  type Submission,
  submissionSchema,
} from "../../shared/contracts/submissions/submission.ts";

/** The API calls that tests make to a local service. */
export function serviceApi(origin: string) {
  const service = localClient(origin);
  return {
    uploadDataset: async (suite: string, name: string, jsonl: string) => {
      const query = new URLSearchParams({ suite, name, visibility: "public" });
      const rows = Buffer.from(jsonl);
      return service.upload(`/v1/datasets?${query}`, rows, datasetSchema);
    },
    /** Submits with public visibility unless `body` sets another. */
    submit: async (body: object): Promise<Submission> => {
      const whole = { visibility: "public", ...body };
      return service.post("/v1/submissions", whole, submissionSchema);
    },
    run: (id: string): Promise<Run> => service.get(`/v1/runs/${id}`, runSchema),
    /** Reads a board; null while it is empty. */
    leaderboard: async (suite: string, dataset: string): Promise<Leaderboard | null> => {
      const query = new URLSearchParams({ suite, dataset });
      return service.get(`/v1/leaderboard?${query}`, leaderboardSchema).catch((error) => {
        if (error instanceof ServiceError && error.prospects.status === 404) return null;
        throw error;
      });
    },
  };
}
