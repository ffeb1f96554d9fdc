import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { levenshteinSimilarity } from "../../../shared/measures/text/levenshtein-similarity.ts";
import { tokenF1 } from "../../../shared/measures/text/token-f1.ts";
import { defaultOptions } from "../../../shared/suites/extraction/options.ts";
import { checkSample } from "../../../shared/suites/extraction/sample.ts";
import { containment } from "../../../shared/suites/extraction/score/fields/field-text.ts";
import { isScored, scoreExtraction } from "../../../shared/suites/extraction/score/score.ts";
import { eqsBand, gradeOf, recommend } from "../../../shared/suites/extraction/thresholds.ts";
import { methodologyText, shown } from "./methodology-text.ts";

const { text, examples } = methodologyText("extraction");
const [expected = null, answered = null] = examples;

/** Properties for exactly the expected fields. */
const product = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
};
const schema = {
  type: "object",
  properties: {
    company: { type: "string" },
    city: { type: "string" },
    founded: { type: "integer" },
    products: { type: "array", items: product },
  },
  required: ["company"],
};

function exampleDetail() {
  const row = { id: "example", text: "", schema, expected_output: expected };
  const checked = checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  const answer = { ...emptyAnswer, output: JSON.stringify(answered) };
  const score = scoreExtraction(checked.value.sample, answer, defaultOptions);
  if (!isScored(score)) throw new Error("the example has to be scored");
  return score.detail;
}

describe("the worked example of extraction", () => {
  const detail = exampleDetail();

  it("has the stated field categories", () => {
    expect(detail.valid).toBe(true);
    expect(detail).toMatchObject({ exact: 5, partial: 1, incorrect: 0, missed: 1, spurious: 1 });
    const byPath = Object.fromEntries(detail.fields.map((field) => [field.path, field.category]));
    expect(byPath).toMatchObject({ company: "partial", city: "missed", founded: "exact" });
    expect(byPath["products[1].stock"]).toBe("spurious");
  });

  it("has the stated closeness of its partial field", () => {
    const [a, b] = ["nordwind tools", "nordwind tools gmbh"] as const;
    const parts = [tokenF1(a, b), levenshteinSimilarity(a, b), containment(a, b)] as const;
    const company = detail.fields.find(({ path }) => path === "company");
    expect(text).toContain(
      `closeness ${shown(company?.composite ?? 0)}: words 0.5 · ${shown(parts[0])}, letters 0.3 · ${shown(parts[1])}, contained 0.2 · ${shown(parts[2])}`,
    );
  });

  it("has the stated scores", () => {
    const { partialPrecision, partialRecall, partialF1, typeAccuracy } = detail;
    expect(partialPrecision).toBe(partialRecall);
    expect(text).toContain(
      `precision = recall = (5 + 0.5) / 7 = ${shown(partialPrecision)}, so partial F1 = ${shown(partialF1)}`,
    );
    expect(text).toContain(`type accuracy = 6 / 7 = ${shown(typeAccuracy)}`);
    expect(text).toContain(`hallucination rate = 1 / 7 = ${shown(detail.hallucinationRate ?? 0)}`);
    expect(text).toContain(
      `EQS = 0.15 · 1 + 0.50 · ${shown(partialF1)} + 0.20 · ${shown(typeAccuracy)} + 0.15 · ${shown(1 - (detail.hallucinationRate ?? 0))} = **${shown(detail.eqs)}**, “${eqsBand(detail.eqs)}”`,
    );
  });
});

describe("the grades in extraction's methodology", () => {
  const rows = [...text.matchAll(/^\| (A\+|A|B\+|B|C|D) \|(.*)\|$/gm)].map(
    ([, grade = "", cells = ""]) => ({
      grade,
      limits: cells.split("|").map((cell) => {
        const value = Number(cell.replace(/[^\d.]/g, ""));
        return cell.includes("%") ? value / 100 : value;
      }),
    }),
  );
  const metrics = ["validity", "partialF1", "exactMatch", "hallucinationRate", "latencyP95"];

  it("match gradeOf()", () => {
    expect(rows.map(({ grade }) => grade)).toEqual(["A+", "A", "B+", "B", "C", "D"]);
    for (const { grade, limits } of rows) {
      expect(limits.map((limit, i) => gradeOf(metrics[i] ?? "", limit))).toEqual(
        metrics.map(() => grade),
      );
      const worse = limits.map((limit, i) =>
        gradeOf(metrics[i] ?? "", i < 3 ? limit - 1e-6 : limit + 1e-6),
      );
      expect(worse).not.toContain(grade);
    }
  });

  it.each([
    ["Excellent", 0.9],
    ["Good", 0.75],
    ["Moderate", 0.6],
  ] as const)("match eqsBand(): %s from %d", (band, from) => {
    expect([eqsBand(from), eqsBand(from - 1e-6)]).toEqual([band, expect.not.stringMatching(band)]);
    expect(text).toMatch(new RegExp(`from ${from.toFixed(2)}[^.]* ?“${band}”`));
  });

  it.each([
    [0.9, 0.02, "deploy without human review"],
    [0.8, 0.05, "spot-check"],
    [0.7, 0.1, "mandatory review"],
  ])("match recommend(): from EQS %d and below a rate of %d: %s", (eqs, rate, advice) => {
    expect(recommend(eqs, rate - 1e-6)).toBe(advice);
    // A rounding error, such as in 1 − 0.9, does not matter.
    const others = [recommend(eqs - 1e-6, 0), recommend(eqs, rate), recommend(eqs, 1 - (1 - rate))];
    expect(others).not.toContain(advice);
    expect(text).toMatch(
      new RegExp(`EQS from ${eqs.toFixed(2)} and .*below ${100 * rate}%: ${advice}`),
    );
  });
});
