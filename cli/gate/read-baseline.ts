import { z } from "zod";
import { type ScoredRun, scoredRunSchema } from "#shared/contracts/boards/scored-run.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { readText } from "../files/open-file.ts";
import { type OutputFile, openOutput } from "../files/output-file.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { hasSimulatedJudges, simulatedText } from "../run/estimate.ts";
import { branchFile } from "./git.ts";

/** The default file of a branch. */
const USUAL_FILE = "assay-baseline.json";

/** Baseline runs and their source. */
export interface Baseline {
  runs: ScoredRun[];
  from: string;
}

/** A file has one run or a list of runs. */
const fileSchema = z.union([
  scoredRunSchema.transform((one) => [one]),
  z.array(scoredRunSchema).min(1).max(100),
]);

/**
 * Reads a baseline: the id of a run at the service, `branch:NAME` or `branch:NAME:PATH` for a file on a git branch, or
 * the path of a file. Throws BadInput.
 */
export async function readBaseline(given: string, service: ServiceClient): Promise<Baseline> {
  if (/^run_[\w-]+$/.test(given)) {
    return { runs: [await scoredRun(service, given)], from: service.origin };
  }
  const [, branch, path = USUAL_FILE] = /^branch:([^:]+)(?::(.+))?$/.exec(given) ?? [];
  if (branch !== undefined) {
    const { text, commit } = branchFile(branch, path);
    return { runs: parsed(text, given), from: `${path} on branch ${branch} at ${commit}` };
  }
  if (given.startsWith("branch:")) {
    throw new BadInput(`--baseline must name a branch, such as branch:main, not "${given}"`);
  }
  return { runs: parsed(readText(given), given), from: given };
}

/** A finished run of a service with its scores. Throws BadInput. */
export const scoredRun = async (service: ServiceClient, id: string): Promise<ScoredRun> => {
  const value = await service.get(
    `/v1/runs/${encodeURIComponent(id)}/scores.json`,
    scoredRunSchema,
  );
  return value;
};

/** A baseline file to write. */
export type BaselineFile = ReturnType<typeof baselineFile>;

/** Opens a file for a baseline before anything is evaluated. Throws BadInput if it can't be written. */
export function baselineFile(path: string) {
  let file: OutputFile | null = openOutput(path, []);
  return {
    /** Returns the lines to print. */
    write(runs: readonly ScoredRun[]): string[] {
      file?.add(JSON.stringify(runs.length === 1 ? runs[0] : runs));
      file?.complete();
      file = null;
      const simulated = runs.some(({ run }) => hasSimulatedJudges(run.judging));
      return [
        `baseline: ${path}; compare later runs with --baseline ${path}`,
        ...(simulated ? [`${path}: ${simulatedText}`] : []),
      ];
    },
    /** Keeps the previous file; does nothing once the new one is written. */
    abandon: () => file?.abandon(),
  };
}

function parsed(text: string, place: string): ScoredRun[] {
  const { data = [] } = fileSchema.safeParse(parsedJson(text));
  if (data.length > 0 && data.every(({ scores }) => isWhole(scores))) return data;
  throw new BadInput(
    `${place}: not a baseline: write one with assay run --save-baseline FILE, or assay export RUN --what scores --output FILE`,
  );
}

/** Whether every column has a value for each sample, and sample ids are unique. */
function isWhole({ ids, clusters, values }: ScoredRun["scores"]): boolean {
  const columns = Object.values(values).flatMap(({ of, over }) => [of, over]);
  return (
    new Set(ids).size === ids.length &&
    [...columns, clusters].every((one) => one === null || one.length === ids.length)
  );
}
