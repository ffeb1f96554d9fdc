/** What OpenAI takes as the name of a function. */
const allowed = /^[a-zA-Z0-9_-]{1,64}$/;
const mostCharacters = 64;

/**
 * A name that OpenAI takes for each function of a sample: the same where it takes that, else with `_` for
 * each other character, as BFCL does for models that refuse dots, cut to 64 characters and numbered where
 * another function has that name.
 * Source: OpenAI API, `tools[].function.name`; BFCL, `convert_func_name`.
 * @example allowedNames(["uber.ride", "ping"]).get("uber.ride") // "uber_ride"
 */
export function allowedNames(names: readonly string[]): Map<string, string> {
  const taken = new Set(names.filter((name) => allowed.test(name)));
  return new Map(
    [...new Set(names)].map((name) => {
      if (allowed.test(name)) return [name, name];
      const other = freeName(name.replace(/[^a-zA-Z0-9_-]/g, "_") || "_", taken);
      taken.add(other);
      return [name, other];
    }),
  );
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : `_${number}`;
    const name = wanted.slice(0, mostCharacters - end.length) + end;
    if (!taken.has(name)) return name;
  }
}
