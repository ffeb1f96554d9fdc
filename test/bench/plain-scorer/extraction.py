"""Scores one answer of the suite `extraction`, as docs/spec/extraction.md defines it (sections 1 to 5 and 8).

Plain Python without packages, written from the specification alone: the yardstick of the bench, not a part of Assay.
"""
import json
import math
import re
import unicodedata

SPEAKING = ("type", "enum", "const")
PLACEHOLDERS = {"n/a", "none", "unknown", "null", "-", ""}
GROUPED = re.compile(
    r"(?<![\d.,'’])\d{1,3}(?:(?:,\d{2,3})*,\d{3}|(?:\.\d{3})+|(?:['’]\d{3})+|(?: \d{3})+)(?!\d)"
)


class Object(dict):
    """An object without its null properties; `nulls` has their names."""

    nulls = frozenset()


def without_nulls(value):
    if isinstance(value, dict):
        kept = Object((k, without_nulls(v)) for k, v in value.items() if v is not None)
        kept.nulls = {k for k, v in value.items() if v is None}
        return kept
    return [without_nulls(v) for v in value] if isinstance(value, list) else value


def json_type(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return {str: "string", list: "array", type(None): "null"}.get(type(value), "object")


def is_structural(value):
    return isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value)


def is_leaf(value):
    return value is not None and not is_structural(value) and not (isinstance(value, dict) and value)


def normal(text):
    return " ".join(unicodedata.normalize("NFC", text).split()).lower()


# --- JSON Schema ------------------------------------------------------------------------------


class Schema:
    def __init__(self, root):
        self.root = root

    def resolve(self, schema):
        at = self.root
        for part in schema["$ref"].lstrip("#").split("/")[1:]:
            at = at[part.replace("~1", "/").replace("~0", "~")]
        return at

    def valid(self, value, schema):
        if isinstance(schema, bool):
            return schema
        if "$ref" in schema and not self.valid(value, self.resolve(schema)):
            return False
        if not accepts(schema, value):
            return False
        if not all(self.valid(value, s) for s in schema.get("allOf", [])):
            return False
        if "anyOf" in schema and not any(self.valid(value, s) for s in schema["anyOf"]):
            return False
        if "oneOf" in schema and sum(self.valid(value, s) for s in schema["oneOf"]) != 1:
            return False
        if "not" in schema and self.valid(value, schema["not"]):
            return False
        if "if" in schema:
            branch = "then" if self.valid(value, schema["if"]) else "else"
            if branch in schema and not self.valid(value, schema[branch]):
                return False
        if isinstance(value, dict):
            return self.valid_object(value, schema)
        if isinstance(value, list):
            return self.valid_array(value, schema)
        if isinstance(value, str):
            return valid_text(value, schema)
        return json_type(value) != "number" or valid_number(value, schema)

    def valid_object(self, value, schema):
        required = schema.get("required", [])
        if isinstance(required, list) and any(name not in value for name in required):
            return False
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", math.inf):
            return False
        properties = schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        for name, part in value.items():
            schemas = [properties[name]] if name in properties else []
            schemas += [s for pattern, s in patterns.items() if re.search(pattern, name)]
            if not schemas and "additionalProperties" in schema:
                schemas = [schema["additionalProperties"]]
            if not all(self.valid(part, s) for s in schemas):
                return False
        return True

    def valid_array(self, value, schema):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", math.inf):
            return False
        if schema.get("uniqueItems") is True:
            texts = [json.dumps(v, sort_keys=True) for v in value]
            if len(set(texts)) < len(texts):
                return False
        if "contains" in schema and not any(self.valid(v, schema["contains"]) for v in value):
            return False
        return all(all(self.valid(v, s) for s in element_schemas(schema, i)) for i, v in enumerate(value))

    def spread(self, schemas):
        """All subschemas of a place: behind references, and in branches."""
        found, queue = [], [s for s in schemas if isinstance(s, dict)]
        while queue:
            schema = queue.pop(0)
            if any(schema is s for s in found):
                continue
            found.append(schema)
            more = [self.resolve(schema)] if "$ref" in schema else []
            for keyword in ("allOf", "anyOf", "oneOf"):
                more += schema.get(keyword, [])
            queue += [s for s in more if isinstance(s, dict)]
        return found

    def child(self, place, name):
        schemas = []
        for schema in place or []:
            properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
            own = [properties[name]] if name in properties else []
            own += [s for pattern, s in patterns.items() if re.search(pattern, name)]
            rest = schema.get("additionalProperties")
            schemas += own if own or not isinstance(rest, dict) else [rest]
        return self.spread(schemas) if schemas else None

    def element(self, place, index):
        schemas = [s for schema in place or [] for s in element_schemas(schema, index)]
        return self.spread(schemas) if schemas else None


def element_schemas(schema, index):
    items, listed = schema.get("items"), schema.get("prefixItems", [])
    if isinstance(items, list):
        listed, items = items, schema.get("additionalItems")
    if index < len(listed):
        return [listed[index]]
    return [] if items is None else [items]


def accepts(schema, value):
    kind = schema.get("type")
    if kind is not None:
        kinds = kind if isinstance(kind, list) else [kind]
        own = json_type(value)
        whole = own == "number" and float(value).is_integer()
        if own not in kinds and not (whole and "integer" in kinds):
            return False
    if isinstance(schema.get("enum"), list) and not any(same_json(value, v) for v in schema["enum"]):
        return False
    return "const" not in schema or same_json(value, schema["const"])


def same_json(a, b):
    return json_type(a) == json_type(b) and a == b


def valid_text(value, schema):
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf):
        return False
    try:
        return "pattern" not in schema or re.search(schema["pattern"], value) is not None
    except re.error:
        return True


def valid_number(value, schema):
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if not low <= value <= high:
        return False
    if isinstance(above, (int, float)) and not isinstance(above, bool) and value <= above:
        return False
    if isinstance(below, (int, float)) and not isinstance(below, bool) and value >= below:
        return False
    step = schema.get("multipleOf")
    return step is None or abs(value / step - round(value / step)) < 1e-9


# --- Comparing fields ---------------------------------------------------------------------------


def identical(e, p):
    kind = json_type(e)
    if kind != json_type(p):
        return False
    if kind == "string":
        return normal(e) == normal(p)
    if kind == "number":
        return e == p or abs(p - e) <= 1e-6
    if kind == "array":
        return len(e) == len(p) and all(identical(a, b) for a, b in zip(e, p))
    return True if kind == "object" else e == p


def levenshtein(a, b):
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
        before = row
    return before[-1]


def similarities(e, p):
    """Token F1, Levenshtein similarity and containment of two strings."""
    e, p = normal(e), normal(p)
    if e == p:
        return 1.0, 1.0, 1.0
    if not e or not p:
        return 0.0, 0.0, 0.0
    a, b = set(e.split()), set(p.split())
    holds = 1.0 if e in p else len(p) / len(e) if p in e else 0.0
    distance = 1 - levenshtein(e, p) / max(len(e), len(p))
    return 2 * len(a & b) / (len(a) + len(b)), distance, holds


def elements(values):
    return {(json_type(v), normal(v) if isinstance(v, str) else v) for v in values}


def composite(e, p):
    if json_type(e) != json_type(p):
        return 0.0
    if identical(e, p):
        return 1.0
    if isinstance(e, str):
        tokens, distance, holds = similarities(e, p)
        return 0.5 * tokens + 0.3 * distance + 0.2 * holds
    if json_type(e) == "number":
        return 0.0 if e == 0 else max(0.0, 1 - abs(p - e) / abs(e))
    if isinstance(e, list):
        a, b = elements(e), elements(p)
        return len(a & b) / len(a | b) if a | b else 0.0
    return 0.0


def category(e, p, score):
    kind = json_type(e)
    if kind != json_type(p) or kind == "boolean":
        return "exact" if identical(e, p) else "incorrect"
    if kind == "number":
        both = not float(e).is_integer() and not float(p).is_integer()
        exact = identical(e, p) or (both and abs(p - e) / abs(e) <= 0.001)
    else:
        exact = score >= 0.95
    return "exact" if exact else "partial" if score >= 0.5 else "incorrect"


# --- Alignment ------------------------------------------------------------------------------------


def count_fields(value):
    if value is None:
        return 0
    if is_leaf(value):
        return 1
    return sum(count_fields(v) for v in (value.values() if isinstance(value, dict) else value))


def shared(e, p):
    """The composites of the fields that two values share, added up."""
    if e is None or p is None:
        return 0.0
    if is_leaf(e) and is_leaf(p):
        return composite(e, p)
    if isinstance(e, dict) and isinstance(p, dict):
        return sum(shared(v, p[k]) for k, v in e.items() if k in p)
    if is_structural(e) and is_structural(p):
        return sum(shared(e[i], p[j]) for i, j in align(e, p))
    return 0.0


def align(e, p):
    n, m = len(e), len(p)
    sizes = [count_fields(v) for v in e], [count_fields(v) for v in p]
    gains = [
        [
            (shared(e[i], p[j]) / (max(sizes[0][i], sizes[1][j]) or 1))
            + 1e-6 * (1 - abs(i - j) / max(n, m))
            + 1e-9 * (i + 1) * (j + 1) / (n * m)
            for j in range(m)
        ]
        for i in range(n)
    ]
    if n <= m:
        return hungarian(gains)
    return sorted((i, j) for j, i in hungarian([list(row) for row in zip(*gains)]))


def hungarian(gains):
    """The pairs of rows and columns of the largest sum; there are at least as many columns. O(n²m)."""
    n, m = len(gains), len(gains[0])
    u, v, owner, way = [0.0] * (n + 1), [0.0] * (m + 1), [0] * (m + 1), [0] * (m + 1)
    for i in range(1, n + 1):
        owner[0], j0 = i, 0
        least, used = [math.inf] * (m + 1), [False] * (m + 1)
        while True:
            used[j0] = True
            i0, delta, j1 = owner[j0], math.inf, 0
            for j in range(1, m + 1):
                if used[j]:
                    continue
                cost = -gains[i0 - 1][j - 1] - u[i0] - v[j]
                if cost < least[j]:
                    least[j], way[j] = cost, j0
                if least[j] < delta:
                    delta, j1 = least[j], j
            for j in range(m + 1):
                if used[j]:
                    u[owner[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            j0 = j1
            if owner[j0] == 0:
                break
        while j0:
            owner[j0] = owner[way[j0]]
            j0 = way[j0]
    return sorted((owner[j] - 1, j - 1) for j in range(1, m + 1) if owner[j])
