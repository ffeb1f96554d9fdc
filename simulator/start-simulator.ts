import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { RequestLog } from "./request-log.ts";
import { routeRequest } from "./router.ts";
import { createSimulation, type SimulatorOptions } from "./simulation.ts";

/** A running simulator. */
export interface Simulator {
  /** Its origin, such as `http://127.0.0.1:8790`. */
  url: string;
  /** The base URL for OpenAI clients: the origin and `/v1`. */
  baseUrl: string;
  log: RequestLog;
  /** Closes all connections and resolves when all are closed. */
  close(): Promise<void>;
}

/** Idle connections are closed after this time. Long, so that clients don't use one that is being closed. */
const keepAliveMs = 600_000;

/**
 * Starts a simulator on the loopback interface; port 0 selects a free one. Rejects with a one-sentence message if the
 * port is in use or an option is invalid.
 * @example const simulator = await startSimulator({ port: 0, datasets: [rows], latencyScale: 0 });
 */
export async function startSimulator(
  options: SimulatorOptions & { port?: number } = {},
): Promise<Simulator> {
  const simulation = createSimulation(options);
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) =>
    routeRequest(simulation, request, response),
  );
  const port = await listen(server, options.port ?? 0);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    baseUrl: `${url}/v1`,
    log: simulation.log,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await simulation.log.close();
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    throw isTaken ? new Error(`Port ${port} is taken; choose another one.`) : error;
  }
  return (server.address() as AddressInfo).port;
}
