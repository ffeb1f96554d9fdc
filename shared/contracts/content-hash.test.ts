import { expect, it } from "vitest";
import { LinesHash, textHash } from "./content-hash.ts";

it("LinesHash gives what textHash gives of the lines joined", () => {
  for (const lines of [[], ["one"], ["", "Größe", "大きい", ""]]) {
    const hash = new LinesHash();
    for (const line of lines) hash.add(line);
    expect(hash.digest()).toBe(textHash(lines.join("\n")));
  }
});
