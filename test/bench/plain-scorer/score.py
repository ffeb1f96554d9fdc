"""Scores a file of answers against a file of samples and prints every aggregate with its 95% interval.

    python3 score.py samples.jsonl answers.jsonl [--samples lines.jsonl] [--resamples 10000]

Plain Python without packages, written from docs/spec/extraction.md and docs/spec/statistics.md alone.
"""
import argparse
import json
import math
import random
import statistics
import time
from collections import Counter, defaultdict

from extraction import Schema
from fields import count_fields, rates, score

MODES = ("strict", "partial", "lenient")
BINS = (("excellent", 0.95), ("good", 0.8), ("fair", 0.6), ("poor", 0.4), ("veryPoor", 0.0))


def complexity(root):
    """Leaves of a schema, those required, the largest depth, and the bin."""
    schema, found = Schema(root), {"totalFields": 0, "requiredFields": 0, "maxDepth": 0}

    def walk(place, names, required, above):
        if any(s is one for s in place for one in above):
            return
        children = {name for s in place for name in s.get("properties", {})}
        element = schema.element(place, 0)
        holds = element and (any("properties" in s for s in element) or schema.element(element, 0))
        for name in children:
            own = required and any(name in s.get("required", []) for s in place if isinstance(s.get("required"), list))
            walk(schema.child(place, name) or [], names + 1, own, above + place)
        if holds:
            walk(element, names, required, above + place)
        if not children and not holds and names:
            found["totalFields"] += 1
            found["requiredFields"] += required
            found["maxDepth"] = max(found["maxDepth"], names - 1)

    walk(schema.spread([root]), 0, True, [])
    total, depth = found["totalFields"], found["maxDepth"]
    found["bin"] = "complex" if total > 15 or depth > 2 else "simple" if total < 5 and depth <= 1 else "medium"
    return found


def score_answer(sample, answer):
    output, error = answer.get("output"), answer.get("error")
    try:
        value, parsed = json.loads(output or ""), error is None
    except ValueError:
        value, parsed = None, False
    made = score(sample, value, parsed)
    made |= {"id": sample["id"], "parsed": parsed, "covered": error is None, **complexity(sample["schema"])}
    made |= {"tags": sample.get("tags", {}), "latencyMs": answer.get("latencyMs") if error is None else None}
    made |= {"inputChars": len(sample["text"]), "outputChars": len(output) if output else None}
    made |= {"inputTokens": answer.get("inputTokens"), "outputTokens": answer.get("outputTokens")}
    return made


def columns_of(answers):
    """The numbers of each answer that the metrics are ratios of sums of."""
    columns = {"one": [1] * len(answers)}
    for name in ("eqs", "valid", "validAsIs", "exactMatch", "covered", "expected", "predicted"):
        columns[name] = [float(a[name]) for a in answers]
    columns["typeAccuracy"] = [a["typeAccuracy"] * a["valid"] for a in answers]
    columns["hallucination"] = [a["hallucinationRate"] if a["valid"] else 1.0 for a in answers]
    columns["omission"] = [a["omissionRate"] for a in answers]
    columns["parseFailed"] = [float(not a["parsed"] and a["covered"]) for a in answers]
    columns["schemaFailed"] = [float(a["parsed"] and not a["valid"]) for a in answers]
    for name in ("missed", "spurious", "type_correct"):
        columns[name] = [a["count"][name] for a in answers]
    critical = ("fabricated", "wrongValue")
    columns["critical"] = [sum(f["hallucination"] in critical for f in a["fields"]) for a in answers]
    columns["strict"] = [a["count"]["identical"] for a in answers]
    columns["partial"] = [a["count"]["exact"] + a["count"]["partial"] / 2 for a in answers]
    columns["lenient"] = [a["count"]["lenient"] for a in answers]
    for mode in MODES:
        for measure in ("Precision", "Recall", "F1"):
            rate = [a[mode + measure] * a["valid"] for a in answers]
            columns[f"{mode}{measure}Macro"] = rate
            columns[f"{mode}{measure}Weighted"] = [r * a["expected"] for r, a in zip(rate, answers)]
    return columns


RATIOS = {
    "eqs": ("eqs", "one"),
    "validity": ("valid", "one"),
    "validAsIs": ("validAsIs", "one"),
    "exactMatch": ("exactMatch", "one"),
    "exactMatchOfValid": ("exactMatch", "valid"),
    "successRate": ("covered", "one"),
    "parseFailureRate": ("parseFailed", "one"),
    "schemaFailureRate": ("schemaFailed", "one"),
    "typeAccuracy": ("typeAccuracy", "one"),
    "typeAccuracyMicro": ("type_correct", "predicted"),
    "hallucinationRate": ("hallucination", "one"),
    "hallucinationRateOfValid": ("spurious", "predicted"),
    "criticalHallucinationRate": ("critical", "predicted"),
    "omissionRate": ("missed", "expected"),
    "omissionRateMacro": ("omission", "one"),
    **{f"{m}Precision": (m, "predicted") for m in MODES},
    **{f"{m}Recall": (m, "expected") for m in MODES},
    **{f"{m}{x}Macro": (f"{m}{x}Macro", "one") for m in MODES for x in ("Precision", "Recall", "F1")},
    **{f"{m}{x}Weighted": (f"{m}{x}Weighted", "expected") for m in MODES for x in ("Precision", "Recall", "F1")},
}


def figures(sums):
    made = {name: sums[of] / sums[over] if sums[over] else None for name, (of, over) in RATIOS.items()}
    for mode in MODES:
        p, r = made[f"{mode}Precision"] or 0, made[f"{mode}Recall"] or 0
        made[f"{mode}F1"] = 2 * p * r / (p + r) if p + r else 0.0
    return made


def percentile(ordered, share):
    at = (len(ordered) - 1) * share
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def bootstrap(columns, resamples, times=None):
    """The expanded percentile interval of each figure, from resamples of the samples."""
    n, draws = len(columns["one"]), defaultdict(list)
    source = random.Random(1)
    # Student's t at 97.5% by its expansion around the normal quantile (Abramowitz and Stegun 26.7.5).
    z, df = 1.959963984540054, n - 1
    t = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
    tail = statistics.NormalDist().cdf(-math.sqrt(n / (n - 1)) * t)
    for _ in range(resamples):
        picks = source.choices(range(n), k=n)
        sums = {name: sum(map(column.__getitem__, picks)) for name, column in columns.items()}
        for name, value in figures(sums).items():
            draws[name].append(value)
        if times:
            own = sorted(map(times.__getitem__, picks))
            draws["latencyMean"].append(sum(own) / n)
            for share in (50, 95, 99):
                draws[f"latencyP{share}"].append(percentile(own, share / 100))
    ordered = {name: sorted(v for v in values if v is not None) for name, values in draws.items()}
    return {k: [percentile(v, tail), percentile(v, 1 - tail)] for k, v in ordered.items() if v}


def wilson(hits, n, z=1.959963984540054):
    middle, half = (hits + z * z / 2) / (n + z * z), z * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return [max(0, middle - half / (n + z * z)), min(1, middle + half / (n + z * z))]


def metrics(answers, resamples):
    columns = columns_of(answers)
    values = figures({name: sum(column) for name, column in columns.items()})
    times = [a["latencyMs"] for a in answers]
    times = times if times and None not in times else None
    if times:
        ordered = sorted(times)
        values |= {f"latencyP{s}": percentile(ordered, s / 100) for s in (50, 95, 99)}
        values |= {"latencyMean": sum(times) / len(times), "latencyMin": ordered[0], "latencyMax": ordered[-1]}
    intervals = bootstrap(columns, resamples, times) if resamples and len(answers) > 1 else {}
    for name, (of, over) in RATIOS.items():
        if over == "one" and set(columns[of]) <= {0.0, 1.0}:
            intervals[name] = wilson(sum(columns[of]), len(answers))
    return {name: {"value": value, "interval": intervals.get(name)} for name, value in values.items()}


# --- Tables ---------------------------------------------------------------------------------------


def part(fields, samples):
    made = rates(count_fields(fields))
    made |= {"n": samples, **Counter(f["category"] for f in fields)}
    return made


def parts(answers):
    """Precision, recall and F1 by type, depth, path, requirement and complexity."""
    fields, samples = defaultdict(list), defaultdict(set)
    for i, answer in enumerate(answers):
        for one in answer["fields"]:
            keys = [("byType", one["expected_type"] or one["predicted_type"]), ("byPath", one["name_path"])]
            keys += [("byDepth", str(min(2, one["depth"]))), ("byComplexity", answer["bin"])]
            if one["required"] is not None:
                keys.append(("byRequired", "required" if one["required"] else "optional"))
            for key in keys:
                fields[key].append(one)
                samples[key].add(i)
    made = defaultdict(dict)
    for (table, name), own in fields.items():
        if table != "byPath" or len(samples[table, name]) >= 3 or len(answers) < 3:
            made[table][name] = part(own, len(samples[table, name]))
    return made


def similarity(values):
    bins = Counter(min(19, int(v * 20)) for v in values)
    return {"mean": statistics.fmean(values), "median": statistics.median(values), "histogram": bins}


def errors(answers):
    hallucinations, patterns, pairs, example = Counter(), Counter(), Counter(), {}
    for answer in answers:
        for one in answer["fields"] if answer["valid"] else []:
            hallucinations["surplus"] += one["surplus"]
            if one["hallucination"] and not (one["hallucination"] == "surplus" and one["surplus"]):
                hallucinations[one["hallucination"]] += 1
            if one["pattern"]:
                patterns[one["pattern"]] += 1
                pairs[one["pattern"], one["name_path"]] += 1
                example.setdefault((one["pattern"], one["name_path"]), answer["id"])
    common = [{"pattern": p, "path": at, "count": n, "id": example[p, at]} for (p, at), n in pairs.most_common(10)]
    severity = {"critical": hallucinations["fabricated"] + hallucinations["wrongValue"]}
    severity |= {"moderate": hallucinations["misplaced"], "minor": hallucinations["surplus"]}
    return {"hallucinations": hallucinations, "severity": severity, "patterns": patterns, "common": common}


def correlations(answers):
    made = {}
    for x in ("partialF1", "latencyMs"):
        by = ("totalFields", "maxDepth", "requiredFields")
        for y in by if x == "partialF1" else (*by, "inputChars", "outputChars"):
            pairs = [(a[x] * (a["valid"] if x == "partialF1" else 1), a[y]) for a in answers if None not in (a[x], a[y])]
            try:
                made[f"{x} {y}"] = statistics.correlation(*zip(*pairs))
            except (statistics.StatisticsError, TypeError):
                made[f"{x} {y}"] = None
    return made


def tables(answers, resamples):
    fields = [one for a in answers for one in a["fields"]]
    alike = [one["similarity"] for one in fields if one["similarity"]]
    known = [one["composite"] for one in fields if one["composite"] is not None]
    groups = defaultdict(list)
    for answer in answers:
        groups["complexity", answer["bin"]].append(answer)
        for tag in answer["tags"].items():
            groups[tag].append(answer)
    return {
        "categories": Counter(one["category"] for one in fields),
        "fields": parts(answers),
        "confusion": Counter(f"{f['expected_type']} {f['predicted_type']}" for f in fields if f["expected_type"]),
        "composites": Counter(next(name for name, low in BINS if c >= low) for c in known),
        "similarity": [similarity(values) for values in zip(*alike)],
        "fuzzy": sum(distance >= 0.85 for _, distance, _ in alike) / max(1, len(alike)),
        "groups": {" ".join(k): metrics(own, resamples // 5) for k, own in groups.items() if len(own) >= 10},
        "errors": errors(answers),
        "correlations": correlations(answers),
        "tokens": [sum(a[name] or 0 for a in answers) for name in ("inputTokens", "outputTokens")],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dataset")
    parser.add_argument("answers")
    parser.add_argument("--samples")
    parser.add_argument("--resamples", type=int, default=10_000)
    given = parser.parse_args()
    start = time.process_time()
    with open(given.answers, encoding="utf-8") as file:
        by_id = {row["id"]: row for row in map(json.loads, file)}
    with open(given.dataset, encoding="utf-8") as file:
        answers = [score_answer(row, by_id.get(row["id"], {"error": "missing"})) for row in map(json.loads, file)]
    if given.samples:
        with open(given.samples, "w", encoding="utf-8") as file:
            for one in answers:
                file.write(json.dumps({k: v for k, v in one.items() if k != "fields"}) + "\n")
    summary = {"samples": len(answers), "metrics": metrics(answers, given.resamples)}
    summary["tables"] = tables(answers, given.resamples)
    summary["cpuSeconds"] = time.process_time() - start
    print(json.dumps(summary))


main()
