import { expect, it } from "vitest";
import { submissionRequestSchema } from "#shared/contracts/submissions/submission.ts";
import {
  type FormValues,
  type OptionField,
  optionFields,
  type SettingField,
  settingFields,
} from "./form-values.ts";
import { shownCommand } from "./shown-command.ts";

const hash = "d".repeat(64);
const origin = "https://api.example";

const filled: FormValues = {
  suite: "extraction",
  dataset: "stock",
  name: "Bob's model",
  simulated: false,
  slug: "",
  url: "",
  license: "",
  parameters: "",
  quantization: "",
  source: "endpoint",
  baseUrl: "https://a.example/v1",
  model: "a-1",
  endpointKey: "secret",
  protocol: "",
  ...(Object.fromEntries([...settingFields, ...optionFields].map((field) => [field, ""])) as Record<
    SettingField | OptionField,
    string
  >),
  isBatched: false,
  batches: "",
  answers: null,
  answersFile: "",
  isStandardPrompt: true,
  options: '{"temperature": 0}',
  inputPerMillion: "2.5",
  outputPerMillion: "10",
  cachedPerMillion: "",
  audioPerMillion: "",
  reasoningPerMillion: "",
  visibility: "unlisted",
};

const empty: FormValues = {
  ...filled,
  name: "",
  baseUrl: "",
  model: "",
  endpointKey: "",
  protocol: "",
  options: "{}",
  inputPerMillion: "",
  outputPerMillion: "",
};

/** The body of a command, as a shell would read it. */
function bodyOf(command: string | null): unknown {
  const text = /-d '([\s\S]*)'$/.exec(command ?? "")?.[1] ?? "";
  return JSON.parse(text.replaceAll("'\\''", "'"));
}

it("shownCommand() for an endpoint sends the form's values, except the key", () => {
  const { command, note } = shownCommand(filled, hash, origin);
  expect(command).toContain("curl https://api.example/v1/submissions");
  expect(command).not.toContain("secret");
  expect(bodyOf(command)).toEqual({
    suite: "extraction",
    dataset: "stock",
    options: { temperature: 0 },
    models: [
      {
        name: "Bob's model",
        endpoint: { baseUrl: "https://a.example/v1", model: "a-1", apiKey: "sk-your-key" },
        prices: { inputPerMillion: 2.5, outputPerMillion: 10 },
      },
    ],
    visibility: "unlisted",
  });
  expect(note).toBe("");
});

it("shownCommand() for an empty form is a valid example", () => {
  const body = bodyOf(shownCommand(empty, hash, origin).command);
  expect(submissionRequestSchema.safeParse(body).success).toBe(true);
});

it.each<[Partial<FormValues>, string]>([
  [{ endpointKey: "" }, "apiKey"],
  [{ baseUrl: "https://me:secret@a.example/v1" }, "secret"],
  [{ baseUrl: "https://me:secret@" }, "secret"],
])("shownCommand() for %j does not contain %s", (more, text) => {
  expect(shownCommand({ ...filled, ...more }, hash, origin).command).not.toContain(text);
});

it("shownCommand() for answers reads them from their file", () => {
  const values = { ...filled, source: "answers", answersFile: "it's mine.jsonl" } as const;
  const { command, note } = shownCommand(values, hash, origin);
  const [, filter = "", file] = /^jq -s '([\s\S]*)' ('.*') \|\n/.exec(command ?? "") ?? [];
  expect(file).toBe(`'./it'\\''s mine.jsonl'`);
  const body = JSON.parse(filter.replaceAll("'\\''", "'").replace('"answers": .', '"answers": []'));
  expect(body.models).toEqual([
    {
      name: "Bob's model",
      answers: [],
      promptHash: hash,
      prices: { inputPerMillion: 2.5, outputPerMillion: 10 },
    },
  ]);
  expect(command).toContain("--data-binary @-");
  expect(note).toContain("jq");
});

it("shownCommand() is null with a note while the form is invalid", () => {
  const { command, note } = shownCommand({ ...filled, options: '{"temp' }, hash, origin);
  expect(command).toBeNull();
  expect(note).toContain("must be JSON such as");
});
