import { expect, test } from "vitest";
import { readText } from "../read/read-text.ts";
import { coherence } from "./coherence.ts";

const of = (text: string) => coherence(readText(text));

test.each([
  ["connectors", "Thus it rains. As a result, it pours. First things first.", { connectors: 4 }],
  ["a connector in capitals", "HOWEVER, rain falls.", { connectors: 1, connector: 1 }],
  [
    "few connectors",
    "Cats run. Cats run. Cats run. Thus cats run. Cats run.",
    { connector: 2 / 3 },
  ],
  ["a text without pronouns", "Cats run.", { pronouns: 0, pronoun: 1 }],
  ["a pronoun without an antecedent", "They run.", { pronouns: 1, unclearPronouns: 1, pronoun: 0 }],
  ["an antecedent in its sentence", "Cats know it.", { pronouns: 1, unclearPronouns: 0 }],
  ["an antecedent just before", "Cats run. It is so.", { pronouns: 1, unclearPronouns: 0 }],
  ["an earlier antecedent", "Cats run. So be it. It is so.", { pronouns: 2, unclearPronouns: 1 }],
  ["a demonstrative as determiner", "This model learns.", { pronouns: 0 }],
  ["a demonstrative as pronoun", "This is so. That.", { pronouns: 2, unclearPronouns: 2 }],
  ["a topic shift", "Cats run. Pizza tastes good.", { shifts: 1, topic: 0.5 }],
  ["a shared stem", "Cats run. Pizza is good. A cat runs.", { shifts: 1 }],
  ["a connector instead of a stem", "Cats run. Thus pizza.", { shifts: 0 }],
  ["a pronoun instead of a stem", "Cats run. Pizza eats them.", { shifts: 0 }],
  ["a determiner instead of a stem", "Cats run. This pizza tastes good.", { shifts: 1 }],
  ["a sentence without stems", "Cats run. 42.", { sentences: 2, shifts: 1 }],
  ["a text without words", "…", { score: 0, connector: 0, pronoun: 0, topic: 0, sentences: 0 }],
])("coherence() handles %s", (_, text, expected) => {
  expect(of(text)).toMatchObject(expected);
});
