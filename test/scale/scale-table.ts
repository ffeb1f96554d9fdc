import type { Prediction } from "./predict.ts";

const count = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 2 });
const usd = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });

/** A prediction as lines. */
export function scaleTable(prediction: Prediction): string {
  const { samplesPerDay, uses, mostPerDay, hours, daysUntilFull, usdPerMonth } = prediction;
  const width = Math.max(...uses.map(({ name }) => name.length));
  return [
    `${count.format(samplesPerDay)} samples a day (this deployment can process ${count.format(mostPerDay)}): ${count.format(hours)} hours of work`,
    ...uses.flatMap(({ name, share, allows, lift }) => [
      `  ${name.padEnd(width)}  ${percent.format(share).padStart(7)} used   ${allows}`,
      ...(share > 1 ? [`  ${" ".repeat(width)}  to lift it: ${lift}`] : []),
    ]),
    `  D1 is full after ${count.format(daysUntilFull)} days if all sample rows stay in it; rows of ended runs move to R2`,
    `  a month: ${usd.format(usdPerMonth.running)} running, ${usd.format(usdPerMonth.storage)} for what it stores`,
    "",
  ].join("\n");
}
