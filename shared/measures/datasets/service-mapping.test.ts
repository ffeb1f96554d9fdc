import { describe, expect, it } from "vitest";
import { serviceMappingProblem } from "./service-mapping.ts";

const problemOf = (expression: string) =>
  serviceMappingProblem({ map: { text: expression }, tags: {}, files: {} });

describe("serviceMappingProblem()", () => {
  it.each([
    "body",
    "meta.title",
    "turns[0].text",
    "turns[-1].content",
    'messages[role = "user"].content',
    'title & "\\n\\n" & body',
    "rating >= 4 ? 1 : 0",
    '$exists(label) ? label : "none"',
    '{"total": invoice.total, "date": invoice.date}',
    "[a, b.c]",
    "$lookup(names, lang).text",
    "(a + b) * 2",
    "$join(tags, ' ')",
    "$join([a, b], ' ') & c",
    '$string(meta) & ": " & tags',
    '$count([a, b]) & " notes"',
    "[a & b, -c]",
    "scores.*",
  ])("accepts %s", (expression) => {
    expect(problemOf(expression)).toBeNull();
  });

  it.each([
    ["/(a+)+$/", "regex"],
    ["$match(body, /(a+)+$/)", "$match"],
    ["$pad(body, 1000000000)", "$pad"],
    ['$eval("/(a+)+/")', "$eval"],
    ["($f := function($x) { $f($x) }; $f(1))", "not a bind"],
    ["$map(turns, function($t) { $t.text })", "$map"],
    ["function($x) { $x }(1)", "not"],
    ["[1..10000000]", "a range"],
    ["a.($ & $).($ & $).($ & $)", "a block within a path"],
    ['a.{"x": $, "y": $}.{"x": $, "y": $}', "a unary within a path"],
    ["a.[$, $].[$, $]", "a unary within a path"],
    ["a.$string().$string()", "a function within a path"],
    ["a[$$.a[$$.a[$$.a]]]", "the variable $$"],
    ["**.text", "descendant"],
    ["a{b: $count(c)}", "groups"],
    ["a^(b)", "sort"],
    ["a ~> $uppercase", "apply"],
    ["a@$x.b[c = $x.d]", "not"],
    ["body[", "Expected"],
    ['[[body] & ""] & ""', "lists and objects in & or $string"],
    ['"" & (a ? {"b": c} : c)', "lists and objects in & or $string"],
    ["$string($merge([a, b]))", "lists and objects in & or $string"],
    ['(body & "")[0][] & ""', "lists and objects in & or $string"],
    ["$string(a, true)", "a second argument of $string"],
    ["$join(tags, body)", "a separator of $join"],
    [`$join(tags, "${"-".repeat(21)}")`, "a separator of $join"],
    [Array(400).fill("a").join("&"), "parts"],
  ])("refuses %s", (expression, why) => {
    expect(problemOf(expression)).toContain(why);
  });

  it("refuses files and long mappings", () => {
    expect(serviceMappingProblem({ map: {}, tags: {}, files: { s: "s.json" } })).toContain('"s"');
    const long = { map: { text: `"${"x".repeat(6_000)}"` }, tags: {}, files: {} };
    expect(serviceMappingProblem(long)).toContain("more than the 6000");
  });
});
