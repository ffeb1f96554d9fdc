"""The fields of one answer and its metrics: docs/spec/extraction.md, sections 2 to 5, 7 and 8."""
import unicodedata
from collections import Counter

from extraction import (
    GROUPED,
    PLACEHOLDERS,
    SPEAKING,
    Schema,
    accepts,
    align,
    category,
    composite,
    elements,
    identical,
    is_leaf,
    is_structural,
    json_type,
    normal,
    similarities,
    without_nulls,
)


class Place:
    """A path with what the schema says about it."""

    def __init__(self, schema, path, name_path, name, names, required, schemas):
        self.schema, self.path, self.name_path, self.name = schema, path, name_path, name
        self.names, self.required, self.schemas = names, required, schemas

    def child(self, name):
        required = self.required and any(name in listed(s, "required") for s in self.schemas or [])
        schemas = self.schema.child(self.schemas, name)
        dot = "." if self.path else ""
        path, name_path = f"{self.path}{dot}{name}", f"{self.name_path}{dot}{name}"
        return Place(self.schema, path, name_path, name, self.names + 1, required, schemas)

    def element(self, i):
        path, name_path = f"{self.path}[{i}]", f"{self.name_path}[]"
        schemas = self.schema.element(self.schemas, i)
        return Place(self.schema, path, name_path, self.name, self.names, self.required, schemas)

    def accepts(self, value, otherwise):
        speaking = [s for s in self.schemas or [] if any(k in s for k in SPEAKING)]
        plain = [{k: s[k] for k in SPEAKING if k in s} for s in speaking]
        return any(accepts(s, value) for s in plain) if plain else otherwise


def listed(schema, keyword):
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


class Field(dict):
    """One field: a dict, so that it can be written as JSON."""

    place = clash = None


def field(place, kind, e=None, p=None, **more):
    made = Field(path=place.path, name_path=place.name_path, category=kind, depth=max(0, place.names - 1))
    made.update(expected=e, predicted=p, composite=None, identical=False, type_correct=None)
    made.update(similarity=None, required=place.required, hallucination=None, surplus=0, pattern=None)
    made.update(excess=False, **more)
    made.place = place
    return made


class Matcher:
    def __init__(self):
        self.fields = []

    def expect(self, e, p, place, absent="absent"):
        if e is None:
            if p is not None:
                self.spurious(p, place)
        elif p is None:
            self.missed(e, place, absent)
        elif isinstance(e, dict) and isinstance(p, dict) and e and p:
            for name, value in e.items():
                there = "null" if name in p.nulls else "absent"
                self.expect(value, p.get(name), place.child(name), there)
            for name, value in p.items():
                if name not in e:
                    self.spurious(value, place.child(name))
        elif is_structural(e) and is_structural(p):
            self.lists(e, p, place)
        elif is_leaf(e) and is_leaf(p) and comparable(e, p):
            self.paired(e, p, place)
        elif e == [] and is_structural(p) or e == {} and isinstance(p, dict):
            self.spurious(p, place, excess=isinstance(p, list))
        elif p == [] and is_structural(e) or p == {} and isinstance(e, dict):
            self.missed(e, place, "absent", nulls=getattr(p, "nulls", ()))
        else:
            pattern = clash_of(e, p)
            self.missed(e, place, json_type(p), clash=pattern)
            self.spurious(p, place, clash=pattern)

    def lists(self, e, p, place):
        partner = dict(align(e, p))
        for i, value in enumerate(e):
            self.expect(value, p[partner[i]] if i in partner else None, place.element(i))
        used, at = set(partner.values()), len(e)
        for j, value in enumerate(p):
            if j not in used:
                self.spurious(value, place.element(at), excess=True)
                at += 1

    def paired(self, e, p, place):
        score, same = composite(e, p), identical(e, p)
        made = field(place, category(e, p, score), e, p)
        made.update(composite=score, identical=same)
        made["type_correct"] = place.accepts(p, json_type(e) == json_type(p))
        made.update(expected_type=json_type(e), predicted_type=json_type(p))
        if isinstance(e, str) and isinstance(p, str):
            made["similarity"] = similarities(e, p)
        if isinstance(e, list) and isinstance(p, list) and not same:
            made["surplus"] = len(elements(p) - elements(e))
        if made["surplus"]:
            made["hallucination"] = "surplus"
        self.fields.append(made)

    def missed(self, e, place, found, clash=None, nulls=()):
        if e is None:
            return
        if is_leaf(e):
            made = field(place, "missed", e, expected_type=json_type(e), predicted_type=found)
            made.clash = clash
            self.fields.append(made)
        elif isinstance(e, dict):
            for name, value in e.items():
                there = "null" if name in nulls else "absent"
                self.missed(value, place.child(name), there, clash)
        else:
            for i, value in enumerate(e):
                self.missed(value, place.element(i), "absent", clash)

    def spurious(self, p, place, excess=False, clash=None):
        if p is None:
            return
        if is_leaf(p):
            made = field(place, "spurious", None, p, expected_type=None, predicted_type=json_type(p))
            made.update(required=None, excess=excess, type_correct=place.accepts(p, False))
            made.clash = clash
            self.fields.append(made)
        elif isinstance(p, dict):
            for name, value in p.items():
                self.spurious(value, place.child(name), excess, clash)
        else:
            for i, value in enumerate(p):
                self.spurious(value, place.element(i), excess, clash)


def comparable(e, p):
    kinds = {json_type(e), json_type(p)}
    return len(kinds) == 1 or not kinds & {"array", "object"}


def is_placeholder(value):
    return isinstance(value, str) and value.strip().lower() in PLACEHOLDERS


def clash_of(e, p):
    if is_placeholder(p):
        return "type_coercion_failed"
    return "array_vs_object" if {json_type(e), json_type(p)} == {"array", "object"} else "wrong_nesting"


# --- Diagnosis ------------------------------------------------------------------------------------


def is_word(char):
    return unicodedata.category(char)[0] in "LMN"


def within(part, text):
    """Whether `part` is in `text` on token boundaries."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        starts = at == 0 or not (is_word(text[at]) and is_word(text[at - 1]))
        ends = end >= len(text) or not (is_word(text[end]) and is_word(text[end - 1]))
        if starts and ends:
            return True
        at = text.find(part, at + 1)
    return not part


def number_within(form, text):
    at = text.find(form)
    while at >= 0:
        end = at + len(form)
        if "." not in form and text[end : end + 2] == ".0":
            end += 1
        if "." in form or end > at + len(form):
            while text[end : end + 1] == "0":
                end += 1
        starts = at == 0 or not (is_word(text[at]) and is_word(text[at - 1]))
        ends = end >= len(text) or not (is_word(text[end]) and is_word(text[end - 1]))
        before = at > 1 and text[at - 1] == "." and text[at - 2].isdigit()
        after = text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit()
        if starts and ends and not before and not after:
            return True
        at = text.find(form, at + 1)
    return False


def in_text(value, text, ungrouped):
    if isinstance(value, str):
        return within(normal(value), text)
    if json_type(value) == "number":
        form = repr(value)[:-2] if isinstance(value, float) and value.is_integer() else repr(value)
        return number_within(form, text) or number_within(form, ungrouped)
    return isinstance(value, list) and all(v is None or in_text(v, text, ungrouped) for v in value)


def diagnose(fields, text):
    text = normal(text)
    ungrouped = GROUPED.sub(lambda m: "".join(c for c in m[0] if c not in ",.'’ "), text)
    for one in fields:
        if one["category"] == "spurious":
            there = not one["excess"] and in_text(one["predicted"], text, ungrouped)
            kind = "surplus" if one["excess"] else "misplaced" if there else "fabricated"
            one["hallucination"] = kind
        elif one["category"] == "incorrect" and not in_text(one["predicted"], text, ungrouped):
            one["hallucination"] = "wrongValue"
    moved = moved_fields(fields)
    for one in fields:
        if one["category"] != "exact":
            one["pattern"] = pattern_of(one, id(one) in moved)


def moved_fields(fields):
    moved = set()
    free = [f for f in fields if f["category"] == "spurious" and not f.clash and not is_placeholder(f["predicted"])]
    for one in fields:
        if one["category"] != "missed":
            continue
        for i, other in enumerate(free):
            if one.place.name == other.place.name and identical(one["expected"], other["predicted"]):
                moved |= {id(one), id(free.pop(i))}
                break
    return moved


def pattern_of(one, moved):
    e, p = one["expected"], one["predicted"]
    value = "hallucinated_value" if one["hallucination"] in ("fabricated", "wrongValue") else None
    value = value or ("partial_value" if one["category"] == "partial" else "wrong_value")
    if one["category"] == "spurious":
        if one.clash or moved:
            return None
        if is_placeholder(p):
            return "type_coercion_failed"
        return "extra_field" if one.place.schemas is None else value
    if one["category"] == "missed":
        pattern = one.clash or ("wrong_nesting" if moved else None)
        return pattern or ("missing_required_field" if one["required"] else "missing_value")
    if json_type(e) != json_type(p):
        return "type_coercion_failed" if is_placeholder(p) else "wrong_type"
    if isinstance(e, str):
        e, p = normal(e), normal(p)
        return "incomplete_extraction" if p in e else "over_extraction" if e in p else value
    return value


# --- One answer -----------------------------------------------------------------------------------


def rates(count):
    """Precision, recall and F1 of three modes, from counts by category."""
    expected = count["exact"] + count["partial"] + count["incorrect"] + count["missed"]
    predicted = count["exact"] + count["partial"] + count["incorrect"] + count["spurious"]
    made = {"expected": expected, "predicted": predicted}
    correct = {"strict": count["identical"], "partial": count["exact"] + 0.5 * count["partial"]}
    correct["lenient"] = count["lenient"]
    nothing = 1.0 if expected == predicted == 0 else 0.0
    for mode, right in correct.items():
        p = right / predicted if predicted else nothing
        r = right / expected if expected else nothing
        made |= {f"{mode}Precision": p, f"{mode}Recall": r}
        made[f"{mode}F1"] = 2 * p * r / (p + r) if p + r else 0.0
    made["typeAccuracy"] = count["type_correct"] / predicted if predicted else nothing
    made["hallucinationRate"] = count["spurious"] / predicted if predicted else 0.0
    made["omissionRate"] = count["missed"] / expected if expected else 0.0
    return made


def count_fields(fields):
    count = Counter(one["category"] for one in fields)
    count["identical"] = sum(one["identical"] for one in fields)
    count["lenient"] = sum(one["category"] == "exact" or (one["composite"] or 0) >= 0.3 for one in fields)
    count["type_correct"] = sum(one["type_correct"] is True for one in fields)
    return count


def exact_match(e, p):
    if isinstance(e, str) and isinstance(p, str):
        tidy = [" ".join(unicodedata.normalize("NFC", s).split()) for s in (e, p)]
        return tidy[0] == tidy[1]
    if isinstance(e, dict) and isinstance(p, dict):
        return e.keys() == p.keys() and all(exact_match(v, p[k]) for k, v in e.items())
    if isinstance(e, list) and isinstance(p, list):
        return len(e) == len(p) and all(exact_match(a, b) for a, b in zip(e, p))
    return e is None and p is None or identical(e, p) if json_type(e) == json_type(p) else False


def score(sample, value, parsed):
    """The fields of one parsed output, its counts, rates and EQS; all 0 unless it is valid."""
    schema = Schema(sample["schema"])
    root = Place(schema, "", "", "", 0, True, schema.spread([sample["schema"]]))
    expected, predicted = without_nulls(sample["expected_output"]), without_nulls(value)
    as_is = parsed and schema.valid(value, sample["schema"])
    valid = as_is or parsed and schema.valid(predicted, sample["schema"])
    matcher = Matcher()
    if valid:
        matcher.expect(expected, predicted, root)
    else:
        matcher.missed(expected, root, "absent")
    diagnose(matcher.fields, sample["text"])
    count = count_fields(matcher.fields)
    made = {"valid": valid, "validAsIs": as_is, "fields": matcher.fields, "count": count, **rates(count)}
    made["exactMatch"] = valid and exact_match(expected, predicted)
    made["eqs"] = 0.0
    if valid:
        parts = 0.5 * made["partialF1"] + 0.2 * made["typeAccuracy"]
        made["eqs"] = 0.15 + parts + 0.15 * (1 - made["hallucinationRate"])
    return made
