"""Reads what a service exports of a run, and the dataset it was evaluated on."""

import csv
import json


def read_run(path):
    """The answers of a run: `samples.jsonl`, or `samples.csv`, which has no fields."""
    if path.endswith(".csv"):
        with open(path, newline="", encoding="utf-8") as file:
            return [of_record(record) for record in csv.DictReader(file)]
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def of_record(record):
    # Text that a spreadsheet would take for a formula begins with an apostrophe.
    name = record["id"][1:] if record["id"][:2] in ("'=", "'+", "'-", "'@") else record["id"]
    number = lambda text: float(text) if text else None
    return {
        "id": name,
        "covered": record["covered"] == "true",
        "score": number(record["score"]),
        "latencyMs": number(record["latencyMs"]),
    }


def read_tags(path, answers):
    """Of each sample, by id, its tags in the dataset, and how complex a run found its schema."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    bins = {answer["id"]: answer["complexity"]["bin"] for answer in answers if "complexity" in answer}
    return {
        row["id"]: {**(row.get("tags") or {}), **({"schema": bins[row["id"]]} if row["id"] in bins else {})}
        for row in rows
    }
