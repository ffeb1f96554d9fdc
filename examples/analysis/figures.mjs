// The statistics of the analysis: each takes plain arrays and gives plain numbers.
const resamples = 10_000;
// On fewer samples an interval is too rough to be read; reports leave it out, too.
const fewest = 20;

const sum = (values) => values.reduce((total, value) => total + value, 0);
export const mean = (values) => sum(values) / values.length;

/** Each sample's score by id, the mean of its answers; nobody scored what has none. */
export function sampleScores(answers) {
  const scored = answers.filter(({ score }) => score !== null);
  const byId = Map.groupBy(scored, ({ id }) => id);
  return new Map([...byId].map(([id, its]) => [id, mean(its.map(({ score }) => score))]));
}

/** What is resampled, as [sum, count]: samples of one source (tag "cluster") stay together. */
export function unitsOf(values, tags) {
  const bySource = Map.groupBy(values, ([id]) => {
    const cluster = tags.get(id)?.cluster;
    return cluster === undefined ? `sample ${id}` : `cluster ${cluster}`;
  });
  return [...bySource.values()].map((its) => [sum(its.map(([, value]) => value)), its.length]);
}

/** The 95% percentile bootstrap interval of the mean; null below two units. */
export function intervalOf(units) {
  if (units.length < 2) return null;
  const draw = random(1);
  const means = Float64Array.from({ length: resamples }, () => {
    let [of, over] = [0, 0];
    for (let i = 0; i < units.length; i++) {
      const [value, count] = units[Math.floor(draw() * units.length)];
      of += value;
      over += count;
    }
    return of / over;
  }).sort();
  return [percentile(means, 0.025), percentile(means, 0.975)];
}

function percentile(sorted, share) {
  const rank = (sorted.length - 1) * share;
  const below = Math.floor(rank);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (rank - below);
}

/** Numbers from 0 to 1, the same ones for the same seed: the generator mulberry32. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Groups of samples by tag, without tags that all samples share, those that cost most first. */
export function byTag(scores, tags) {
  const tagged = [...scores].flatMap(([id, score]) =>
    Object.entries(tags.get(id) ?? {}).map(([tag, name]) => ({ id, score, tag, name })),
  );
  const lost = sum([...scores.values()].map((score) => 1 - score));
  const byKey = Map.groupBy(tagged, ({ tag }) => tag);
  byKey.delete("cluster");
  const rows = [...byKey].flatMap(([tag, those]) => {
    const groups = [...Map.groupBy(those, ({ name }) => name)];
    return groups.length < 2 ? [] : groups.map(([name, its]) => groupRow(tag, name, its));
  });
  return rows.sort((a, b) => compare(a.tag, b.tag) || b.lost - a.lost || compare(a.name, b.name));

  function groupRow(tag, name, its) {
    const values = new Map(its.map(({ id, score }) => [id, score]));
    const ownLoss = sum(its.map(({ score }) => 1 - score));
    return {
      tag,
      name,
      n: its.length,
      value: mean([...values.values()]),
      interval: its.length < fewest ? null : intervalOf(unitsOf(values, tags)),
      lost: lost === 0 ? 0 : ownLoss / lost,
    };
  }
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** Places in order around 0, equal values sharing the mean of theirs. */
function centredRanks(values) {
  const places = Map.groupBy(values.toSorted((a, b) => a - b).entries(), ([, value]) => value);
  return values.map((value) => mean(places.get(value).map(([i]) => i)) - (values.length - 1) / 2);
}

/** Spearman's r, and its p: how often pairs shuffled at random go together as much, either way. */
export function rankCorrelation(xs, ys) {
  if (xs.length < 3 || new Set(xs).size === 1 || new Set(ys).size === 1)
    return { r: null, p: null };
  const [a, b] = [centredRanks(xs), centredRanks(ys)];
  const together = (x, y) => x.reduce((total, value, i) => total + value * y[i], 0);
  const found = together(a, b);
  const r = found / Math.sqrt(together(a, a) * together(b, b));
  const draw = random(1);
  let asMuch = 0;
  for (let n = 0; n < resamples; n++) {
    for (let i = b.length - 1; i > 0; i--) {
      const j = Math.floor(draw() * (i + 1));
      [b[i], b[j]] = [b[j], b[i]];
    }
    asMuch += Math.abs(together(a, b)) >= Math.abs(found) - 1e-9 ? 1 : 0;
  }
  return { r, p: (asMuch + 1) / (resamples + 1) };
}

/** Fields by path: how often each was expected, and lacking in, or wrong in, outputs that could be used. */
export function byField(answers) {
  const judged = answers.flatMap(({ valid, fields = [] }) =>
    fields.map(({ namePath, category }) => ({ namePath, category, valid })),
  );
  const expected = judged.filter(({ category }) => category !== "spurious");
  return [...Map.groupBy(expected, ({ namePath }) => namePath)]
    .map(([path, its]) => {
      const count = (wanted) =>
        its.filter(({ category, valid }) => valid && category === wanted).length;
      const unusable = its.filter(({ valid }) => !valid).length;
      const [missed, incorrect] = [count("missed"), count("incorrect")];
      return { path, expected: its.length, missed, incorrect, unusable };
    })
    .sort((a, b) => b.missed - a.missed || b.incorrect - a.incorrect || compare(a.path, b.path));
}

/** One run less another on the samples of both: difference, its interval, and the share of wins. */
export function paired(scores, others, tags) {
  const both = [...scores].flatMap(([id, score]) =>
    others.has(id) ? [[id, score - others.get(id)]] : [],
  );
  if (both.length === 0) return null;
  const differences = both.map(([, value]) => value);
  const wins = sum(differences.map((value) => (value > 0 ? 1 : value === 0 ? 0.5 : 0)));
  return {
    n: both.length,
    value: mean(differences),
    interval: intervalOf(unitsOf(both, tags)),
    winRate: wins / both.length,
    differences,
  };
}
