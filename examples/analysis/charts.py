"""Charts as SVG, of text alone."""

from html import escape
from math import ceil, log10

WIDTH, LEFT, RIGHT, TOP, ROW = 700, 260, 24, 40, 22
BLUE, RED, GREY = "#2b6cb0", "#c05621", "#718096"


def svg(title, height, parts):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/>'
        f'<text x="8" y="20" font-size="14">{escape(title)}</text>{"".join(parts)}</svg>\n'
    )


def text(x, y, what, anchor="middle"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(what))}</text>'


def line(x1, y1, x2, y2, colour=GREY, width=1.0):
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def dot(x, y, opacity=1):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{BLUE}" fill-opacity="{opacity}"/>'


def axis(x, y, low, high, label):
    """Three to six round ticks below a chart; `x` places a value."""
    power = 10 ** ceil(log10((high - low) / 5) - 1)
    step = next(power * k for k in (1, 2, 2.5, 5, 10) if (high - low) / (power * k) <= 5)
    ticks = [step * k for k in range(ceil(low / step - 1e-9), int(high / step + 1e-9) + 1)]
    named = [text(x(tick), y + 16, f"{tick:g}") for tick in ticks]
    return [*named, *(line(x(tick), y, x(tick), y + 4) for tick in ticks), text(x((low + high) / 2), y + 34, label)]


def row_name(y, name):
    short = name if len(name) <= 40 else f"…{name[-39:]}"
    return text(LEFT - 8, y, short, "end")


def dots(title, label, rows):
    """Rows (name, value, interval) as dots with their intervals, on a scale from 0 to 1."""
    x = lambda value: LEFT + (WIDTH - LEFT - RIGHT) * value
    bottom = TOP + ROW * len(rows)
    parts = axis(x, bottom, 0, 1, label)
    for k, (name, value, interval) in enumerate(rows):
        y = TOP + ROW * (k + 0.5)
        parts.append(row_name(y + 4, name))
        if interval:
            parts.append(line(x(interval[0]), y, x(interval[1]), y, BLUE, 2))
        parts.append(dot(x(value), y))
    return svg(title, bottom + 44, parts)


def bars(title, label, rows):
    """Rows (name, missed, incorrect) as stacked bars."""
    most = max((a + b for _, a, b in rows), default=0) or 1
    wide = lambda count: (WIDTH - LEFT - RIGHT) * count / most
    bottom = TOP + 24 + ROW * len(rows)
    parts = axis(lambda count: LEFT + wide(count), bottom, 0, most, label)
    for k, (name, colour) in enumerate([("missed", BLUE), ("incorrect", RED)]):
        parts.append(f'<rect x="{LEFT + 90 * k}" y="34" width="12" height="12" fill="{colour}"/>')
        parts.append(text(LEFT + 90 * k + 18, 45, name, "start"))
    for k, (name, *counts) in enumerate(rows):
        at, y = LEFT, TOP + 24 + ROW * k
        parts.append(row_name(y + 15, name))
        for count, colour in zip(counts, (BLUE, RED)):
            parts.append(f'<rect x="{at:.1f}" y="{y + 3}" width="{wide(count):.1f}" height="{ROW - 6}" fill="{colour}"/>')
            at += wide(count)
    return svg(title, bottom + 44, parts)


def scatter(title, x_label, y_label, points):
    """Points (x, y), y from 0 to 1."""
    most = max((x for x, _ in points), default=0) or 1
    x = lambda value: 60 + (WIDTH - 60 - RIGHT) * value / most
    y = lambda value: 340 - 270 * value
    parts = [*axis(x, 348, 0, most, x_label), text(8, 46, y_label, "start")]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts += [text(52, y(tick) + 4, f"{tick:g}", "end"), line(60, y(tick), WIDTH - RIGHT, y(tick), "#e2e8f0")]
    return svg(title, 396, parts + [dot(x(a), y(b), 0.5) for a, b in points])


def histogram(title, label, values, bins=21):
    """Values from -1 to 1 in bins of one width, the middle one around 0."""
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value + 1) / 2 * bins))] += 1
    most = max(counts) or 1
    x = lambda value: 40 + (WIDTH - 40 - RIGHT) * (value + 1) / 2
    parts = axis(x, 300, -1, 1, label)
    for k, count in enumerate(counts):
        high, left, right = 240 * count / most, x(2 * k / bins - 1), x(2 * (k + 1) / bins - 1)
        if count:
            parts.append(f'<rect x="{left + 1:.1f}" y="{300 - high:.1f}" width="{right - left - 2:.1f}" height="{high:.1f}" fill="{BLUE}"/>')
            parts.append(text((left + right) / 2, 294 - high, count))
    return svg(title, 346, [*parts, line(x(0), 50, x(0), 300)])
