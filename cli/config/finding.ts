import { z } from "zod";

/** Path of keys and positions from the document to a value. */
export type KeyPath = readonly PropertyKey[];

/** A finding on a value of a config: an error stops a run, a warning does not. */
export interface Finding {
  severity: "error" | "warning";
  path: KeyPath;
  message: string;
}

/** A finding with its place in the file. */
export const placedFindingSchema = z.object({
  severity: z.enum(["error", "warning"]),
  line: z.int(),
  key: z.string().meta({
    description: "as `dataset.name` or `models[1].base_url`; empty for the whole file",
  }),
  message: z.string(),
});
export type PlacedFinding = z.infer<typeof placedFindingSchema>;

export const warning = (path: KeyPath, message: string): Finding => ({
  severity: "warning",
  path,
  message,
});

export const failure = (path: KeyPath, message: string): Finding => ({
  severity: "error",
  path,
  message,
});

/** @example keyText(["models", 1, "base_url"]) // "models[1].base_url" */
export const keyText = (path: KeyPath): string =>
  path
    .map((part, i) =>
      typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`,
    )
    .join("");

/** @example findingText("assay.yaml", finding) // "assay.yaml:4: error: dataset.nam: unknown key" */
export function findingText(file: string, { line, severity, key, message }: PlacedFinding): string {
  return `${file}:${line}: ${severity}: ${key === "" ? "" : `${key}: `}${message}`;
}
