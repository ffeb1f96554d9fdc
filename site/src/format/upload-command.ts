/** The call that adds a dataset, or a version of one, from a file; to paste into a shell. */
export function uploadCommand(apiOrigin: string, suite: string, name: string): string {
  const query = new URLSearchParams({ suite, name });
  return [
    `curl -X POST '${apiOrigin}/v1/datasets?${query}' \\`,
    `  -H "authorization: Bearer $ASSAY_KEY" \\`,
    `  -H "content-type: application/jsonl" \\`,
    `  --data-binary @samples.jsonl`,
  ].join("\n");
}
