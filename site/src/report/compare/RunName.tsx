import { ModelMarks } from "../ModelMarks.tsx";
import { type ComparedRun, runPath } from "./compared.ts";

/** A run by its model's name, leading to its report, with what must be known of its numbers. */
export const RunName = ({ run, name }: { run: ComparedRun; name: string }) => (
  <>
    <a href={runPath(run.run)}>{name}</a>
    <ModelMarks provenance={run.provenance} simulated={run.model.simulated} />
  </>
);
