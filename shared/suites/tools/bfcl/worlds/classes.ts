import { fileSystem } from "./file-system.ts";
import { mathApi } from "./math-api.ts";
import { messageApi } from "./message-api.ts";
import { postingApi } from "./posting-api.ts";
import type { SimulatedClass } from "./simulated.ts";
import { ticketApi } from "./ticket-api.ts";
import { tradingBot } from "./trading-bot.ts";
import { travelApi } from "./travel-api.ts";
import { vehicleControl } from "./vehicle-control.ts";

/** The simulated classes of BFCL, by BFCL's names. */
export const bfclClasses: Readonly<Record<string, SimulatedClass>> = {
  GorillaFileSystem: fileSystem,
  MathAPI: mathApi,
  MessageAPI: messageApi,
  TicketAPI: ticketApi,
  TradingBot: tradingBot,
  TravelAPI: travelApi,
  TwitterAPI: postingApi,
  VehicleControlAPI: vehicleControl,
};
