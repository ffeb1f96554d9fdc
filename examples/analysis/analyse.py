"""Asks the samples of a run where it loses, and of two which is better. Needs Python 3.9 or later, nothing else.

python3 analyse.py DATASET RUN [OTHER] [--out FOLDER] [--json]

DATASET is the file that was uploaded, RUN and OTHER are samples.jsonl?fields=true or samples.csv of runs on
it; FOLDER takes the charts. --json prints the figures instead of tables.
"""

import argparse
import json
from pathlib import Path

import charts
import figures
from exports import read_run, read_tags

MOST_ROWS = 10


def analyse(tags, answers, others):
    scores = figures.sample_scores(answers)
    timed = [answer for answer in answers if None not in (answer["latencyMs"], answer["score"])]
    r, p = figures.rank_correlation([a["latencyMs"] for a in timed], [a["score"] for a in timed])
    return {
        "samples": len(scores),
        "notCovered": sum(not answer["covered"] for answer in answers),
        "score": figures.mean(scores.values()),
        "interval": figures.interval_of(figures.units_of(scores, tags)),
        "tags": figures.by_tag(scores, tags),
        "latency": {"r": r, "p": p, "n": len(timed), "points": [(a["latencyMs"], a["score"]) for a in timed]},
        "fields": figures.by_field(answers),
        "fieldsLeftOut": sum(answer.get("fieldsLeftOut", 0) for answer in answers),
        "paired": None if others is None else figures.paired(scores, figures.sample_scores(others), tags),
    }


def table(head, rows):
    """The first rows, columns as wide as their widest cell, the first to the left, numbers to the right."""
    lines = [head, *rows[:MOST_ROWS]]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    for line in lines:
        cells = [cell.rjust(width) if k else cell.ljust(width) for k, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    if len(rows) > MOST_ROWS:
        print(f"and {len(rows) - MOST_ROWS} more")


def span(interval, form=".3f"):
    return " to ".join(f"{end:{form}}" for end in interval) if interval else "none"


def tell(found):
    print(f"Score {found['score']:.3f}, 95% interval {span(found['interval'])}: ", end="")
    print(f"{found['samples']} samples, {found['notCovered']} not covered")

    tags = {}
    for row in found["tags"]:
        tags.setdefault(row["tag"], []).append(row)
    for tag, its in tags.items():
        print(f"\nWhere does it lose? By {tag}, most lost points first")
        rows = [[r["name"], str(r["n"]), f"{r['value']:.3f}", span(r["interval"]), f"{r['lost']:.1%}"] for r in its]
        table([tag, "n", "score", "95% interval", "lost"], rows)
    if tags:
        print("Lost: share of all points that the run lost. Intervals from 20 samples on.")

    latency = found["latency"]
    print("\nIs latency related to the score?")
    if latency["r"] is None:
        print("Not to be said: fewer than three answers, or all alike.")
    else:
        print(f"Spearman's r {latency['r']:+.3f}, p {'< 0.001' if latency['p'] < 0.001 else format(latency['p'], '.3f')} by permutation, n {latency['n']}")

    print("\nWhich fields are missed most often?")
    counted = ("expected", "missed", "incorrect", "unusable")
    rows = [[row["path"] or "(root)", *(str(row[kind]) for kind in counted)] for row in found["fields"]]
    if rows:
        table(["field", *counted], rows)
        print("Unusable: in outputs without JSON that fits the schema, and failed requests.")
    else:
        print("The export has no fields.")
    if found["fieldsLeftOut"]:
        print(f"{found['fieldsLeftOut']} fields of long answers are not in the export.")

    if found["paired"]:
        both = found["paired"]
        print(f"\nIs it better than the other? Differences on the {both['n']} samples of both")
        print(f"{both['value']:+.3f}, 95% interval {span(both['interval'], '+.3f')}, win rate {both['winRate']:.1%}")


def draw(found, folder):
    folder.mkdir(parents=True, exist_ok=True)
    tags = [(f"{row['tag']} {row['name']}", row["value"], row["interval"]) for row in found["tags"] if row["interval"]]
    fields = [(row["path"], row["missed"], row["incorrect"]) for row in found["fields"][:MOST_ROWS]]
    drawn = {
        "tags": charts.dots("Score by tag, of 20 samples or more", "score, with 95% interval", tags),
        "latency": charts.scatter("Latency and score", "latency, ms", "score", found["latency"]["points"]),
        "fields": charts.bars("Fields missed most often", "fields of usable outputs", fields),
    }
    if found["paired"]:
        both = found["paired"]["differences"]
        drawn["paired"] = charts.histogram("Differences by sample", "score less that of the other", both)
    for name, chart in drawn.items():
        (folder / f"{name}.svg").write_text(chart, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("run")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    answers = read_run(given.run)
    if not any(answer["score"] is not None for answer in answers):
        raise SystemExit(f"{given.run}: nothing in it was scored")
    found = analyse(read_tags(given.dataset, answers), answers, read_run(given.other) if given.other else None)
    if given.other and found["paired"] is None:
        raise SystemExit(f"{given.run} and {given.other} have no scored sample in common: give two runs on one dataset")
    if given.json:
        print(json.dumps(found))
    else:
        tell(found)
    if given.out:
        draw(found, given.out)


main()
