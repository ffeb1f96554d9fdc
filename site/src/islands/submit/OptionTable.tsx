import type { Schema } from "../../data/docs/openapi.ts";
import { exampleOf, limitsText, typeText } from "../../data/docs/schema-text.ts";
import { ScrollTable } from "../../report/ScrollTable.tsx";

interface Props {
  label: string;
  /** JSON Schema of an object. */
  schema: Schema;
}

/** Maximum shown characters of a default: some are prompts of a page. */
const longestDefault = 60;

function defaultText({ default: value }: Schema): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > longestDefault ? `${text.slice(0, longestDefault)}…` : text;
}

/** Allowed values of an option, without its default. */
function wantedText(schema: Schema): string {
  const { default: _, ...rest } = schema;
  return [typeText(rest), limitsText(rest)].filter(Boolean).join(", ");
}

/** A description, with names in backticks. */
const Description = ({ text }: { text: string }) => (
  <span class="below soft">
    {text.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}
  </span>
);

export const OptionTable = ({ label, schema }: Props) => (
  <ScrollTable label={label} columns={["Option", "Value"]}>
    <tbody>
      {Object.entries(schema.properties ?? {}).map(([name, option]) => (
        <tr>
          <th scope="row" class="nowrap">
            <code>{name}</code>
          </th>
          <td class="option">
            {wantedText(option)}
            {option.default !== undefined && (
              <>
                {"; default "}
                <code>{defaultText(option)}</code>
              </>
            )}
            {exampleOf(option) !== undefined && (
              <>
                {", such as "}
                <code>{JSON.stringify(exampleOf(option))}</code>
              </>
            )}
            {option.description && <Description text={option.description} />}
          </td>
        </tr>
      ))}
    </tbody>
  </ScrollTable>
);
