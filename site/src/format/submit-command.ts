// A single quote ends the shell's string; '\'' puts one inside it.
const quoteShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const callWith = (apiOrigin: string, data: string): string[] => [
  `curl ${apiOrigin}/v1/submissions \\`,
  `  -H "authorization: Bearer $ASSAY_KEY" \\`,
  `  -H "content-type: application/json" \\`,
  `  ${data}`,
];

/** The command that submits `body`, to paste into a shell. */
export function submitCommand(apiOrigin: string, body: unknown): string {
  return callWith(apiOrigin, `-d ${quoteShell(JSON.stringify(body, null, 2))}`).join("\n");
}

/**
 * The command that submits `body` with the JSON lines of a file as the answers of its model. The jq program is JSON
 * except for the dot, which means the lines.
 */
export function answersCommand(
  apiOrigin: string,
  body: { models: readonly object[] },
  fileName: string,
): string {
  const models = body.models.map((model) => ({ ...model, answers: null }));
  const marked = { ...body, models };
  const filter = JSON.stringify(marked, null, 2).replace('"answers": null', '"answers": .');
  return [
    // A name that begins with a hyphen would be read as an option.
    `jq -s ${quoteShell(filter)} ${quoteShell(`./${fileName}`)} |`,
    ...callWith(apiOrigin, "--data-binary @-").map((line) => `  ${line}`),
  ].join("\n");
}

export const endpointExample = {
  baseUrl: "https://api.example.com/v1",
  model: "your-model",
  apiKey: "sk-your-key",
};

/** The command that adds a dataset, or a version of one, from a file; to paste into a shell. */
export function uploadCommand(apiOrigin: string, suite: string, name: string): string {
  const query = new URLSearchParams({ suite, name });
  return [
    `curl -X POST '${apiOrigin}/v1/datasets?${query}' \\`,
    `  -H "authorization: Bearer $ASSAY_KEY" \\`,
    `  -H "content-type: application/jsonl" \\`,
    `  --data-binary @samples.jsonl`,
  ].join("\n");
}
