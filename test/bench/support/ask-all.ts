import type OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";

/** Request bodies of the loop, each sent once, and the number of parallel requests. */
export interface AskedOfSdk {
  bodies: readonly ChatCompletionCreateParamsStreaming[];
  concurrency: number;
}

/** The bare loop, for Node and the local runtime. Joins the texts of the streams. */
export async function askAll(
  client: OpenAI,
  { bodies, concurrency }: AskedOfSdk,
): Promise<string[]> {
  const texts: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < bodies.length; i = next++) texts[i] = await textOf(client, bodies[i]!);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return texts;
}

async function textOf(client: OpenAI, body: AskedOfSdk["bodies"][number]): Promise<string> {
  let text = "";
  for await (const { choices } of await client.chat.completions.create(body))
    text += choices[0]?.delta.content ?? "";
  return text;
}
