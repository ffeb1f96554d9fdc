import type { Child } from "hono/jsx";
import type { RunReport } from "#shared/contracts/run-report.ts";

type Listed = Pick<RunReport, "run" | "suite">;

/** Given values by the names of the page's address. */
type GivenFilters = Readonly<Partial<Record<string, string | null>>>;

interface Option {
  value: string;
  label: string;
}

const words = (id: string): string =>
  id.replaceAll("_", " ").replace(/[a-z][A-Z]/g, (pair) => `${pair[0]} ${pair[1]?.toLowerCase()}`);

const optionsOf = (ids: readonly string[]): Option[] =>
  ids.map((value) => ({ value, label: words(value) }));

interface FieldProps {
  name: string;
  label: string;
  given: GivenFilters;
  /** Attributes of a text field. */
  more?: Record<string, string>;
  /** Choices, after `none`. */
  options?: readonly Option[];
  none?: string;
}

const Field = ({ name, label, given, more = {}, options, none = "Any" }: FieldProps): Child => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    {options === undefined ? (
      <input
        id={`filter-${name}`}
        name={name}
        value={given[name] ?? ""}
        autocomplete="off"
        spellcheck={false}
        {...more}
      />
    ) : (
      <select id={`filter-${name}`} name={name} autocomplete="off">
        {[{ value: "", label: none }, ...options].map((option) => (
          <option value={option.value} selected={option.value === (given[name] ?? "")}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </div>
);

const orders: readonly Option[] = [
  { value: "score", label: "Lowest scores first" },
  { value: "seq", label: "In the run's order" },
  { value: "latest", label: "Newest answer first" },
];

const anyWrong: readonly Option[] = [{ value: "wrong", label: "any that is wrong" }];

const states: readonly Option[] = [
  { value: "failed", label: "Failed requests" },
  { value: "unscored", label: "Unscored" },
];

function judgesOf({ judging }: Listed["run"]): string[] {
  const models = Object.values(judging?.judges ?? {}).flatMap(({ routes }) =>
    routes.map(({ model }) => model),
  );
  return [...new Set(models)];
}

/** The filters of a list of samples; a script applies them. */
export const SampleFilters = ({
  report: { run, suite },
  given,
  isOwnPage,
  isOpen,
}: {
  report: Listed;
  given: GivenFilters;
  isOwnPage: boolean;
  isOpen: boolean;
}) => {
  const { part = "", verdicts = [], patterns = [] } = suite.listed ?? {};
  const judges = judgesOf(run);
  // Judgments are high or low, not right or wrong.
  const isJudged = verdicts.includes("unjudged");
  const place = part.charAt(0).toUpperCase() + part.slice(1);
  const score = { inputmode: "decimal", type: "number", step: "any" };
  return (
    <details class="filters" open={isOpen} data-needs-script>
      <summary>Filter and sort</summary>
      <form class="form" data-filters>
        {!isOwnPage && <input type="hidden" name="run" value={run.id} />}
        <div class="fields">
          {part !== "" && (
            <>
              <Field name="path" label={`${place} (* for anything)`} given={given} />
              <Field
                name="verdict"
                label="Verdict"
                given={given}
                options={[...(isJudged ? [] : anyWrong), ...optionsOf(verdicts)]}
              />
            </>
          )}
          {patterns.length > 0 && (
            <Field name="pattern" label="Error" given={given} options={optionsOf(patterns)} />
          )}
          {judges.length > 0 && (
            <Field
              name="judge"
              label="Judge"
              given={given}
              options={judges.map((value) => ({ value, label: value }))}
            />
          )}
          <Field name="text" label="Text in id, question or answer" given={given} />
          <Field name="tag" label="Tag, as name:value" given={given} />
          <Field name="min" label="Score from" given={given} more={score} />
          <Field name="max" label="Score to" given={given} more={score} />
          <Field name="only" label="State" given={given} options={states} />
          <Field
            name="order"
            label="Order"
            given={given}
            options={orders}
            none="Default for this run"
          />
        </div>
        <div class="form-row">
          <button type="submit" class="action">
            Show samples
          </button>
        </div>
      </form>
    </details>
  );
};
