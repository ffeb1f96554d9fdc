/** The cost of an economy flight on an odd day, by departure airport. */
const costs: Readonly<Record<string, string>> = {
  SFO: "LAX200 JFK500 ORD400 BOS450 RMS300 SBK350 MPC370 SVP320 SHD330 SSV340 OKD360 WLB310 CRH380 ATV390 PHV420 GFD430 CIA700",
  LAX: "SFO100 JFK600 ORD500 BOS550 RMS310 SBK320 MPC330 SVP340 SHD350 SSV360 OKD370 WLB380 CRH390 ATV400 PHV410 GFD420 HND430",
  JFK: "ORD300 BOS250 RMS450 SBK460 MPC470 SVP480 SHD490 SSV500 OKD510 WLB520 CRH530 ATV540 PHV550 GFD560 LAX570 HND800 PVG950 PEK1000",
  ORD: "LAX180 BOS200 RMS350 SBK360 MPC370 SVP380 SHD390 SSV400 OKD410 WLB420 CRH430 ATV440 PHV450 GFD460",
  BOS: "RMS400 SBK410 MPC420 SVP430 SHD440 SSV450 OKD460 WLB470 CRH480 ATV490 PHV500 GFD510",
  RMS: "BOS200 JFK210 SBK220 MPC230 SVP240 SHD250 SSV260 OKD270 WLB280 CRH290 ATV300 PHV310 GFD320 LAX330",
  SBK: "MPC200 SVP210 SHD220 SSV230 OKD240 WLB250 CRH260 ATV270 PHV280 GFD290",
  MPC: "SVP210 SHD220 SSV230 OKD240 WLB250 CRH260 ATV270 PHV280 GFD290",
  SVP: "SHD230 SSV240 OKD250 WLB260 CRH270 ATV280 PHV290 GFD300",
  SHD: "SSV220 OKD230 WLB240 CRH250 ATV260 PHV270 GFD280",
  SSV: "OKD240 WLB250 CRH260 ATV270 PHV280 GFD290",
  OKD: "WLB230 CRH240 ATV250 PHV260 GFD270 LAX220",
  WLB: "CRH250 ATV260 PHV270 GFD280",
  CRH: "ATV240 PHV250 GFD260 SFO270 RMS280 HKG290 JFK300",
  ATV: "PHV230 GFD240",
  PHV: "GFD220",
  LHR: "CDG100",
};

const factors: Readonly<Record<string, number>> = { economy: 1, business: 2, first: 5 };

/** The cost of a flight in USD. Throws without such a route or class. */
export function flightCost(from: string, to: string, date: string, travelClass: string): number {
  const routes = Object.hasOwn(costs, from) ? costs[from]! : "";
  const base = new RegExp(`\\b${/^[A-Z]{3}$/.test(to) ? to : "-"}(\\d+)`).exec(routes)?.[1];
  if (base === undefined) throw new Error("No available route for the given airports.");
  if (!Object.hasOwn(factors, travelClass))
    throw new Error("Invalid travel class. Options are: economy, business, first.");
  const digits = [...date.matchAll(/\d/g)].reduce((sum, [digit]) => sum + Number(digit), 0);
  return Number(base) * factors[travelClass]! * (digits % 2 === 0 ? 2 : 1);
}

/** Airports by city, and one airport without a city. */
export const airports: Readonly<Record<string, string>> = {
  Rivermist: "RMS",
  Stonebrook: "SBK",
  Maplecrest: "MPC",
  Silverpine: "SVP",
  Shadowridge: "SHD",
  Paris: "CDG",
  London: "LHR",
  "Sunset Valley": "SSV",
  Oakendale: "OKD",
  Willowbend: "WLB",
  Beijing: "PEK",
  Tokyo: "HND",
  "Hong Kong": "HKG",
  Rome: "CIA",
  "Crescent Hollow": "CRH",
  Autumnville: "ATV",
  Pinehaven: "PHV",
  Greenfield: "GFD",
  "San Francisco": "SFO",
  "Los Angeles": "LAX",
  "New York": "JFK",
  Chicago: "ORD",
  Boston: "BOS",
};

/** Exchange rates of one USD. */
const rates: Readonly<Record<string, number>> = {
  RMB: 7,
  EUR: 0.8,
  JPY: 110,
  GBP: 0.7,
  CAD: 1.3,
  AUD: 1.4,
  INR: 70,
  RUB: 60,
  BRL: 3.8,
  MXN: 20,
};

/** Converts a value between USD and another currency. Throws for other pairs. */
export function exchanged(value: number, from: string, to: string): number {
  const [out, back] = [rates[to], rates[from]];
  if (from === "USD" && out !== undefined) return value * out;
  if (to === "USD" && back !== undefined) return Number((value / back).toFixed(2));
  throw new Error("No available exchange rate for the given currencies.");
}
