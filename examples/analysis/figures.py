"""The statistics of the analysis: each takes plain lists and gives plain numbers."""

import random
from collections import defaultdict
from math import floor, sqrt

RESAMPLES = 10_000
# On fewer samples an interval is too rough to be read; reports leave it out, too.
FEWEST = 20


def mean(values):
    return sum(values) / len(values)


def sample_scores(answers):
    """Each sample's score by id, the mean of its answers; nobody scored what has none."""
    scores = defaultdict(list)
    for answer in answers:
        if answer["score"] is not None:
            scores[answer["id"]].append(answer["score"])
    return {name: mean(its) for name, its in scores.items()}


def units_of(values, tags):
    """What is resampled, as (sum, count): samples of one source (tag "cluster") stay together."""
    units = defaultdict(lambda: [0, 0])
    for name, value in values.items():
        unit = units[tags.get(name, {}).get("cluster", ("sample", name))]
        unit[0] += value
        unit[1] += 1
    return list(units.values())


def interval_of(units):
    """The 95% percentile bootstrap interval of the mean; none below two units."""
    if len(units) < 2:
        return None
    draws = random.Random(1)
    means = []
    for _ in range(RESAMPLES):
        drawn = draws.choices(units, k=len(units))
        means.append(sum(unit[0] for unit in drawn) / sum(unit[1] for unit in drawn))
    means.sort()
    return percentile(means, 0.025), percentile(means, 0.975)


def percentile(ordered, share):
    rank = (len(ordered) - 1) * share
    below = floor(rank)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (rank - below)


def by_tag(scores, tags):
    """Groups of samples by tag, without tags that all samples share, those that cost most first."""
    groups = defaultdict(lambda: defaultdict(dict))
    for name, score in scores.items():
        for tag, value in tags.get(name, {}).items():
            if tag != "cluster":
                groups[tag][value][name] = score
    lost = sum(1 - score for score in scores.values())
    rows = [
        {
            "tag": tag,
            "name": value,
            "n": len(its),
            "value": mean(its.values()),
            "interval": interval_of(units_of(its, tags)) if len(its) >= FEWEST else None,
            "lost": sum(1 - score for score in its.values()) / lost if lost else 0,
        }
        for tag, values in groups.items()
        if len(values) > 1
        for value, its in values.items()
    ]
    return sorted(rows, key=lambda row: (row["tag"], -row["lost"], row["name"]))


def ranks(values):
    """Places in order, equal values sharing the mean of theirs."""
    places = defaultdict(list)
    for place, value in enumerate(sorted(values), 1):
        places[value].append(place)
    return [mean(places[value]) for value in values]


def rank_correlation(xs, ys):
    """Spearman's r, and its p: how often pairs shuffled at random go together as much, either way."""
    if len(xs) < 3 or len(set(xs)) == 1 or len(set(ys)) == 1:
        return None, None
    a, b = ([rank - (len(xs) + 1) / 2 for rank in ranks(side)] for side in (xs, ys))
    together = lambda: sum(x * y for x, y in zip(a, b))
    found = together()
    r = found / sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    draws, as_much = random.Random(1), 0
    for _ in range(RESAMPLES):
        draws.shuffle(b)
        as_much += abs(together()) >= abs(found) - 1e-9
    return r, (as_much + 1) / (RESAMPLES + 1)


def by_field(answers):
    """Fields by path: how often each was expected, and lacking in, or wrong in, outputs that could be used."""
    fields = defaultdict(lambda: {"expected": 0, "missed": 0, "incorrect": 0, "unusable": 0})
    for answer in answers:
        for field in answer.get("fields", []):
            if field["category"] == "spurious":
                continue
            counts = fields[field["namePath"]]
            counts["expected"] += 1
            kind = field["category"] if answer["valid"] else "unusable"
            if kind in counts:
                counts[kind] += 1
    rows = [{"path": path, **counts} for path, counts in fields.items()]
    return sorted(rows, key=lambda row: (-row["missed"], -row["incorrect"], row["path"]))


def paired(scores, others, tags):
    """One run less another on the samples of both: difference, its interval, and the share of wins."""
    both = {name: scores[name] - others[name] for name in scores if name in others}
    if not both:
        return None
    wins = sum((value > 0) + (value == 0) / 2 for value in both.values())
    return {
        "n": len(both),
        "value": mean(both.values()),
        "interval": interval_of(units_of(both, tags)),
        "winRate": wins / len(both),
        "differences": list(both.values()),
    }
