import { expect, test } from "vitest";
import { readSchema } from "../../shared/measures/json-schema/read-schema.ts";
import type { SchemaPlace } from "../../shared/measures/json-schema/schema-place.ts";
import { checkSample } from "../../shared/suites/extraction/sample.ts";
import { hostileCases } from "./hostile-schemas.ts";

/** The main assertion is that the test ends: a naive validator would take hours. */
test.each(Object.entries(hostileCases))(
  "readSchema() handles a hostile case: %s",
  (_, { schema, value, valid }) => {
    const checked = checkSample({ id: "a", text: "", schema, expected_output: value });
    const reason = checked.ok ? undefined : checked.error;
    let place: SchemaPlace | null = readSchema(schema, false).place;
    for (let depth = 0; depth < 100; depth++) place = place?.property("p1") ?? null;
    place?.accepts(value);
    if (valid === null) expect(reason).toMatch(/^schema can't judge/);
    else if (valid) expect(reason).toBeUndefined();
    else expect(reason).toMatch(/^expected_output is not valid/);
  },
);
