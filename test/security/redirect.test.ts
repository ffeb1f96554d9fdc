import { expect, it } from "vitest";
import { askServer, serve } from "./support/ask-server.ts";

it.each([301, 302, 303, 307, 308])(
  "a redirect (%i) to this machine or a metadata service is never followed",
  async (status) => {
    let reached = 0;
    const target = await serve((_request, response) => {
      reached += 1;
      response.end("{}");
    });
    for (const location of [target, `${target}/chat/completions`, "http://169.254.169.254/token"]) {
      let asked = 0;
      const endpoint = await serve((_request, response) => {
        asked += 1;
        response.writeHead(status, { location }).end(`moved to ${location}`);
      });
      const answer = await askServer(endpoint, { apiKey: "sk-redirected" });
      expect(answer).toMatchObject({ output: null, attempts: 1, error: { class: "redirect" } });
      expect(answer.error?.message).toContain(`redirect (${status})`);
      expect(JSON.stringify(answer)).not.toContain(location);
      expect(asked).toBe(1);
    }
    expect(reached).toBe(0);
  },
);
