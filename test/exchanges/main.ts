import { readFileSync } from "node:fs";
import { exchangeSchema, readExchange } from "./read-exchange.ts";

const usage = `Reads recorded replies of model providers with the service's own client.

  npm run exchanges -- FILE

FILE has one exchange per line: {provider, api, case, model, request, response: {status, headers, body | sse | ndjson}}.
Prints the reading of each as a JSON array: case, outcome, answer, thoughts, calls, usage, stop, failure, and a note on replies of unsupported interfaces.`;

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const [file] = process.argv.slice(2);
if (file === undefined || file === "--help") {
  console.log(usage);
  process.exitCode = file === undefined ? 2 : 0;
} else {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const rows = [];
  for (const [i, line] of lines.entries()) {
    const { data, error } = exchangeSchema.safeParse(jsonOf(line));
    if (data) rows.push(await readExchange(data));
    else console.error(`line ${i + 1} is not an exchange: ${error.issues[0]?.path.join(".")}`);
  }
  console.log(JSON.stringify(rows, null, 2));
}
