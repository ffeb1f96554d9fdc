// Asks the samples of a run where it loses, and of two which is better. Needs Node 22 or later, and
// `npm install @observablehq/plot jsdom` for the charts.
//
// node analyse.mjs DATASET RUN [OTHER] [--out FOLDER] [--json]
//
// DATASET is the file that was uploaded, RUN and OTHER are samples.jsonl?fields=true of runs on it; FOLDER takes
// the charts. --json prints the figures instead of tables.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  byField,
  byTag,
  intervalOf,
  mean,
  paired,
  rankCorrelation,
  sampleScores,
  unitsOf,
} from "./figures.mjs";

const mostRows = 10;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" }, json: { type: "boolean" } },
});
const [dataset, run, other] = positionals;
if (run === undefined) fail("usage: node analyse.mjs DATASET RUN [OTHER] [--out FOLDER] [--json]");

const answers = rowsOf(run);
const tags = readTags(dataset, answers);
const found = analyse(other === undefined ? null : rowsOf(other));
if (flags.json) console.log(JSON.stringify(found));
else tell(found);
if (flags.out !== undefined) await draw(found, flags.out);

function analyse(others) {
  const scores = sampleScores(answers);
  if (scores.size === 0) fail(`${run}: nothing in it was scored`);
  const timed = answers.filter(({ latencyMs, score }) => latencyMs !== null && score !== null);
  const points = timed.map(({ latencyMs, score }) => [latencyMs, score]);
  const both = others === null ? null : paired(scores, sampleScores(others), tags);
  if (others !== null && both === null) {
    fail(`${run} and ${other} have no scored sample in common: give two runs on one dataset`);
  }
  return {
    samples: scores.size,
    notCovered: answers.filter(({ covered }) => !covered).length,
    score: mean([...scores.values()]),
    interval: intervalOf(unitsOf(scores, tags)),
    tags: byTag(scores, tags),
    latency: {
      ...rankCorrelation(
        points.map(([x]) => x),
        points.map(([, y]) => y),
      ),
      n: points.length,
      points,
    },
    fields: byField(answers),
    fieldsLeftOut: answers.reduce((sum, { fieldsLeftOut = 0 }) => sum + fieldsLeftOut, 0),
    paired: both,
  };
}

function tell({ score, interval, samples, notCovered, latency, fields, fieldsLeftOut, ...rest }) {
  const of = `${samples} samples, ${notCovered} not covered`;
  console.log(`Score ${score.toFixed(3)}, 95% interval ${span(interval)}: ${of}`);
  const byTags = Map.groupBy(rest.tags, ({ tag }) => tag);
  for (const [tag, rows] of byTags) {
    console.log(`\nWhere does it lose? By ${tag}, most lost points first`);
    table(rows.map((row) => tagRow(row)));
  }
  if (byTags.size > 0) {
    console.log("Lost: share of all points that the run lost. Intervals from 20 samples on.");
  }
  console.log("\nIs latency related to the score?");
  if (latency.r === null) console.log("Not to be said: fewer than three answers, or all alike.");
  else {
    const { r, p, n } = latency;
    console.log(
      `Spearman's r ${signed(r)}, p ${p < 0.001 ? "< 0.001" : p.toFixed(3)} by permutation, n ${n}`,
    );
  }
  console.log("\nWhich fields are missed most often?");
  if (fields.length === 0) console.log("The export has no fields.");
  else {
    table(fields.map(({ path, ...counts }) => ({ field: path || "(root)", ...counts })));
    console.log("Unusable: in outputs without JSON that fits the schema, and failed requests.");
  }
  if (fieldsLeftOut > 0)
    console.log(`${fieldsLeftOut} fields of long answers are not in the export.`);
  if (rest.paired !== null) tellPaired(rest.paired);
}

function tellPaired({ n, value, interval, winRate }) {
  const wins = `win rate ${(100 * winRate).toFixed(1)}%`;
  console.log(`\nIs it better than the other? Differences on the ${n} samples of both`);
  console.log(`${signed(value)}, 95% interval ${span(interval, signed)}, ${wins}`);
}

/** The first rows, columns as wide as their widest cell, the first to the left, numbers to the right. */
function table(rows) {
  const lines = [Object.keys(rows[0]), ...rows.slice(0, mostRows).map((row) => Object.values(row))];
  const widths = lines[0].map((_, k) => Math.max(...lines.map((line) => `${line[k]}`.length)));
  const padded = (cell, k) => (k === 0 ? cell.padEnd(widths[k]) : `${cell}`.padStart(widths[k]));
  for (const line of lines) console.log(line.map(padded).join("  ").trimEnd());
  if (rows.length > mostRows) console.log(`and ${rows.length - mostRows} more`);
}

function tagRow({ tag, name, n, value, interval, lost }) {
  const score = { score: value.toFixed(3), "95% interval": span(interval) };
  return { [tag]: name, n, ...score, lost: `${(100 * lost).toFixed(1)}%` };
}

function signed(value) {
  return `${value < 0 ? "" : "+"}${value.toFixed(3)}`;
}

function span(interval, form = (end) => end.toFixed(3)) {
  return interval === null ? "none" : interval.map((end) => form(end)).join(" to ");
}

async function draw(analysis, folder) {
  const { chartsOf } = await import("./charts.mjs");
  mkdirSync(folder, { recursive: true });
  for (const [name, chart] of Object.entries(chartsOf(analysis))) {
    writeFileSync(join(folder, `${name}.svg`), chart);
  }
}

function rowsOf(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

/** Of each sample, by id, its tags in the dataset, and how complex a run found its schema. */
function readTags(path, scored) {
  const bins = new Map(scored.map(({ id, complexity }) => [id, complexity?.bin]));
  return new Map(
    rowsOf(path).map(({ id, tags: own }) => {
      const schema = bins.get(id);
      return [id, { ...own, ...(schema !== undefined && { schema }) }];
    }),
  );
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
