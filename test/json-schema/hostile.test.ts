import { expect, test } from "vitest";
import { readSchema } from "../../shared/measures/json-schema/read-schema.ts";
import type { SchemaPlace } from "../../shared/measures/json-schema/schema-place.ts";
import { checkSample } from "../../shared/suites/extraction/sample.ts";
import { hostileKeywords, hostileSchemas } from "./hostile-schemas.ts";

/**
 * Of this thread alone, so that a busy machine counts for nothing: most take a few milliseconds, the
 * largest half a second. What they are meant to provoke would take hours.
 */
const maxCpuMs = 2_000;

function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test.each(Object.entries({ ...hostileSchemas, ...hostileKeywords }))(
  "hostile: %s",
  (_, { schema, value, valid }) => {
    let reason: string | undefined;
    const cpuMs = cpuMsOf(() => {
      const checked = checkSample({ id: "a", text: "", schema, expected_output: value });
      reason = checked.ok ? undefined : checked.error;
      let place: SchemaPlace | null = readSchema(schema, false).place;
      for (let depth = 0; depth < 100; depth++) place = place?.property("p1") ?? null;
      place?.accepts(value);
    });
    if (valid === null) expect(reason).toMatch(/^schema can't judge/);
    else if (valid) expect(reason).toBeUndefined();
    else expect(reason).toMatch(/^expected_output is not valid/);
    expect(cpuMs).toBeLessThan(maxCpuMs);
  },
);
