import { raw } from "hono/html";
import type { GaugeBlock as Gauge } from "#shared/contracts/report.ts";
import { gaugeSvg, zoneOf } from "../../charts/gauge.ts";
import { formatInterval, formatTick, formatValue } from "../../format/number.ts";
import { Legend } from "./ChartFigure.tsx";

export const GaugeBlock = ({ block }: { block: Gauge }) => {
  const { title, value, interval, format, zones } = block;
  const zone = zoneOf(block);
  return (
    <figure class="block">
      <h3>{title}</h3>
      <p class="reading" data-score={value === null ? undefined : title}>
        {formatValue(value, format)}
        {zone && <span>{zone.label}</span>}
        {value !== null && (
          <small>
            {interval ? `95% interval ${formatInterval(interval, format)}` : "no interval"}
          </small>
        )}
      </p>
      {raw(gaugeSvg(block))}
      <Legend
        label="Zones"
        items={zones.map(({ label, tone, from, to }) => ({
          tone,
          label: `${label} ${formatTick(from, format)}–${formatTick(to, format)}`,
        }))}
      />
    </figure>
  );
};
