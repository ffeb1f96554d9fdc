// A single quote ends the shell's string; '\'' puts one inside it.
const quoteShell = (text: string): string => text.replaceAll("'", "'\\''");

/** The call that submits `body`, to paste into a shell. */
export function submitCommand(apiOrigin: string, body: unknown): string {
  return [
    `curl ${apiOrigin}/v1/submissions \\`,
    `  -H "authorization: Bearer $ASSAY_KEY" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d '${quoteShell(JSON.stringify(body, null, 2))}'`,
  ].join("\n");
}

export const endpointExample = {
  baseUrl: "https://api.example.com/v1",
  model: "your-model",
  apiKey: "sk-your-key",
};
