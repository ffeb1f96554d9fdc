import { isJsonObject } from "#shared/contracts/json.ts";
import {
  type CardField,
  cardFields,
  type FieldName,
  type FormError,
  type FormValues,
  type OptionField,
  optionFields,
  priceFields,
  type SettingField,
  settingFields,
} from "./form-values.ts";

/** The request to the API, which validates every value; only values that can't be written as JSON are refused here. */
export type RequestResult =
  | { ok: true; request: SubmissionBody }
  | { ok: false; errors: FormError[] };

export interface SubmissionBody {
  models: object[];
  [part: string]: unknown;
}

type Part<Value> = { value: Value; errors: FormError[] };

const none = { value: undefined, errors: [] };

/** The submission of a form; `promptHash`: hash of the suite's standard prompt. */
export function submissionRequest(values: FormValues, promptHash: string | null): RequestResult {
  const { suite, dataset, name, simulated, visibility } = values;
  const from = values.source === "endpoint" ? endpoint(values) : answers(values, promptHash);
  const [prices, options] = [pricesOf(values), optionsOf(values)];
  const errors = [...from.errors, ...prices.errors, ...options.errors];
  if (errors.length > 0) return { ok: false, errors };
  const model = {
    name,
    ...card(values),
    ...(simulated && { simulated }),
    ...from.value,
    ...(prices.value && { prices: prices.value }),
  };
  return {
    ok: true,
    request: {
      suite,
      dataset,
      models: [model],
      options: options.value,
      visibility,
    },
  };
}

/** Names of options in the API, by their names in the form. */
const optionNames: Readonly<Record<OptionField, string>> = {
  samples: "sample",
  repeats: "repeats",
  concurrency: "concurrency",
  maxCostUsd: "maxCostUsd",
};

/** The options given as JSON, combined with those that have their own fields. */
function optionsOf(values: FormValues): Part<unknown> {
  const { value: further, errors } = jsonIn(values.options, "options", {});
  const given = optionFields.filter((field) => values[field].trim() !== "");
  // The API reports options that are not an object.
  if (errors.length > 0 || !isJsonObject(further)) return { value: further, errors };
  const parts = given.map((field) => {
    const { value, errors } = numberIn(values[field].trim(), field, "5");
    const name = optionNames[field];
    const twice: FormError[] =
      name in further
        ? [{ field, detail: `is given twice: here, and as \`${name}\` in the further options` }]
        : [];
    return { option: [name, field === "samples" ? { n: value } : value], errors, twice };
  });
  return {
    value: {
      ...(values.isBatched && values.source === "endpoint" && { mode: "batch" }),
      ...Object.fromEntries(parts.map(({ option }) => option)),
      ...further,
    },
    errors: parts.flatMap(({ errors, twice }) => [...errors, ...twice]),
  };
}

const card = (values: FormValues): Partial<Record<CardField, string>> =>
  Object.fromEntries(
    cardFields.flatMap((field) => {
      const text = values[field].trim();
      return text === "" ? [] : [[field, text]];
    }),
  );

export function endpoint(values: FormValues): Part<{ endpoint: Record<string, unknown> }> {
  const [baseUrl, model] = [values.baseUrl.trim(), values.model.trim()];
  const [apiKey, protocol] = [values.endpointKey.trim(), values.protocol.trim()];
  const { batches } = values;
  const { value: settings, errors } = settingsOf(values);
  const endpoint = {
    baseUrl,
    ...(protocol !== "" && { protocol }),
    ...(batches !== "" && { batches }),
    model,
    ...(apiKey !== "" && { apiKey }),
    ...(settings !== undefined && { settings }),
  };
  return { value: { endpoint }, errors };
}

const choices: readonly SettingField[] = ["reasoningEffort", "toolChoice"];

/** The given settings; undefined if there are none. */
function settingsOf(values: FormValues): Part<object | undefined> {
  const given = settingFields.filter((field) => values[field].trim() !== "");
  if (given.length === 0) return none;
  const parts = given.map((field) => [field, settingOf(field, values[field].trim())] as const);
  return {
    value: Object.fromEntries(parts.map(([field, { value }]) => [field, value])),
    errors: parts.flatMap(([, { errors }]) => errors),
  };
}

function settingOf(field: SettingField, text: string): Part<unknown> {
  if (choices.includes(field)) return { value: text, errors: [] };
  if (field === "extraBody") return jsonIn(text, field, undefined);
  // In the API, null means that no temperature is sent.
  if (field === "temperature" && text === "none") return { value: null, errors: [] };
  return numberIn(text, field, field === "temperature" ? '0.7, or "none"' : "1");
}

const numeral = /^\d*\.?\d+(e-?\d+)?$/i;

const numberIn = (text: string, field: FieldName, example: string): Part<unknown> => ({
  value: Number(text),
  errors: numeral.test(text)
    ? []
    : [
        {
          field,
          detail: `must be a number such as ${example}${text === "NaN" ? "" : `, not "${text}"`}`,
        },
      ],
});

function answers(
  { answers: parsed, isStandardPrompt }: FormValues,
  promptHash: string | null,
): Part<object> {
  const problems = parsed === null ? ["choose a file of answers"] : parsed.errors;
  return {
    value: {
      answers: parsed?.answers,
      ...(isStandardPrompt && promptHash !== null && { promptHash }),
    },
    errors: problems.map((detail) => ({ field: "answers", detail })),
  };
}

function pricesOf(values: FormValues): Part<object | undefined> {
  const given = priceFields.filter((field) => values[field].trim() !== "");
  if (given.length === 0) return none;
  const needed = new Set([...given, "inputPerMillion", "outputPerMillion"] as const);
  const errors = priceFields.flatMap((field): FormError[] => {
    const text = values[field].trim();
    if (!needed.has(field)) return [];
    if (text === "") return [{ field, detail: "give both prices, or neither" }];
    return numberIn(text, field, "2.50").errors;
  });
  return {
    value: Object.fromEntries(given.map((field) => [field, Number(values[field])])),
    errors,
  };
}

const examples = { options: '{"temperature": 0}', extraBody: '{"top_k": 20}' };

/** The JSON in a field of the form; `empty`: the value for an empty field. */
function jsonIn(text: string, field: keyof typeof examples, empty: unknown): Part<unknown> {
  if (text.trim() === "") return { value: empty, errors: [] };
  try {
    return { value: JSON.parse(text), errors: [] };
  } catch (error) {
    const detail = `must be JSON such as ${examples[field]}: ${(error as Error).message}`;
    return { value: null, errors: [{ field, detail }] };
  }
}
