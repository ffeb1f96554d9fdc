import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { PythonRandom } from "./python-random.ts";
import {
  configured,
  list,
  method,
  number,
  object,
  type SimulatedClass,
  text,
} from "./simulated.ts";

const mostFuel = 50;
const milesPerGallon = 20;
const fullForce = 1000;

const defaults: JsonObject = {
  fuelLevel: 0,
  batteryVoltage: 12.6,
  doorStatus: {
    driver: "unlocked",
    passenger: "unlocked",
    rear_left: "unlocked",
    rear_right: "unlocked",
  },
  acTemperature: 25,
  fanSpeed: 50,
  acMode: "auto",
  humidityLevel: 50,
  headLightStatus: "off",
  parkingBrakeStatus: "released",
  brakePedalStatus: "released",
  distanceToNextVehicle: 50,
  cruiseStatus: "inactive",
  destination: "None",
  frontLeftTirePressure: 32,
  frontRightTirePressure: 32,
  rearLeftTirePressure: 30,
  rearRightTirePressure: 30,
};

/** Distances in km between two zip codes, in any order. */
const distances: Readonly<Record<string, number>> = {
  "74532 83214": 750,
  "56108 62947": 320,
  "71354 83462": 450,
  "47329 52013": 290,
  "51479 69238": 630,
  "83214 94016": 980,
  "94016 94704": 600,
  "08540 94704": 2550,
  "08540 94016": 1950,
  "47329 62947": 1053,
  "62947 94016": 780,
  "74532 94016": 880,
};

const zipCodes: Readonly<Record<string, string>> = {
  Rivermist: "83214",
  Stonebrook: "74532",
  Maplecrest: "56108",
  Silverpine: "62947",
  Shadowridge: "71354",
  "Sunset Valley": "83462",
  Oakendale: "47329",
  Willowbend: "52013",
  "Crescent Hollow": "69238",
  Autumnville: "51479",
  "San Francisco": "94016",
};

const tires = ["frontLeft", "frontRight", "rearLeft", "rearRight"].map(
  (place) => `${place}TirePressure`,
);

/** BFCL's `VehicleControlAPI`: engine, doors, climate, lights, brakes and navigation of a car. */
export const vehicleControl: SimulatedClass = (config) => {
  const state = configured(config, defaults);
  const random = new PythonRandom(number(config["random_seed"] ?? 141_053));
  state["engine_state"] = config["engineState"] ?? "stopped";
  // Not public, so the check of the state ignores it.
  let parkingForce = config["parkingBrakeForce"] ?? 0;
  let slope = config["slopeAngle"] ?? 0;
  let pedalForce = number(config["brakePedalForce"] ?? 0);
  const doors = () => object(state["doorStatus"]);
  const open = () => Object.keys(doors()).filter((door) => doors()[door] === "unlocked");
  const locked = Object.values(doors()).filter((one) => one === "locked").length;
  state["remainingUnlockedDoors"] = 4 - locked;
  const shown = (...names: string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  const press = (status: "pressed" | "released", force: number) => {
    state["brakePedalStatus"] = status;
    pedalForce = force;
    return { brakePedalStatus: status, brakePedalForce: force };
  };
  return {
    state,
    methods: {
      startEngine: method(["ignitionMode"], {}, ({ ignitionMode: mode }) => {
        if (mode === "STOP") state["engine_state"] = "stopped";
        if (number(state["remainingUnlockedDoors"]) > 0) {
          const which = open().join(", ");
          return {
            error: `All doors must be locked before starting the engine. Here are the unlocked doors: ${which}`,
          };
        }
        if (state["brakePedalStatus"] !== "pressed")
          return { error: "Brake pedal needs to be pressed when starting the engine." };
        if (pedalForce !== fullForce)
          return { error: "Must press the brake fully before starting the engine." };
        if (number(state["fuelLevel"]) < 0) return { error: "Fuel tank is empty." };
        if (mode !== "START") return { error: "Invalid ignition mode." };
        state["engine_state"] = "running";
        return { engineState: "running", ...shown("fuelLevel", "batteryVoltage") };
      }),
      fillFuelTank: method(["fuelAmount"], {}, ({ fuelAmount }) => {
        const level = number(state["fuelLevel"]) + number(fuelAmount);
        if (number(fuelAmount) < 0) return { error: "Fuel amount cannot be negative." };
        if (level > mostFuel) return { error: "Cannot fill gas above the tank capacity." };
        state["fuelLevel"] = level;
        return { fuelLevel: level };
      }),
      lockDoors: method(["unlock", "door"], {}, ({ unlock, door }) => {
        const status = unlock ? "unlocked" : "locked";
        for (const one of list(door)) {
          const name = text(one);
          if (!Object.hasOwn(doors(), name)) throw new Error(`'${name}'`);
          if (doors()[name] === status) continue;
          doors()[name] = status;
          const count = number(state["remainingUnlockedDoors"]);
          state["remainingUnlockedDoors"] = count + (unlock ? 1 : -1);
        }
        return { lockStatus: status, ...shown("remainingUnlockedDoors") };
      }),
      adjustClimateControl: method(
        ["temperature"],
        { unit: "celsius", fanSpeed: 50, mode: "auto" },
        ({ temperature, unit, fanSpeed, mode = null }) => {
          const speed = number(fanSpeed);
          if (speed < 0 || speed > 100) return { error: "Fan speed must be between 0 and 100." };
          const given = number(temperature);
          state["acTemperature"] = unit === "fahrenheit" ? ((given - 32) * 5) / 9 : given;
          Object.assign(state, { fanSpeed: speed, acMode: mode });
          return { currentACTemperature: given, climateMode: mode, ...shown("humidityLevel") };
        },
      ),
      get_outside_temperature_from_google: method([], {}, () => ({
        outsideTemperature: random.uniform(-10, 40),
      })),
      get_outside_temperature_from_weather_com: method([], {}, () => ({ error: 404 })),
      setHeadlights: method(["mode"], {}, ({ mode }) => {
        if (!["on", "off", "auto"].some((one) => one === mode))
          return { error: "Invalid headlight mode." };
        state["headLightStatus"] = mode === "on" ? "on" : "off";
        return { headlightStatus: state["headLightStatus"] };
      }),
      displayCarStatus: method(["option"], {}, ({ option }) => {
        const named = (name: string, key: string) => ({ [name]: state[key] ?? null });
        switch (option) {
          case "fuel":
            return shown("fuelLevel");
          case "battery":
            return shown("batteryVoltage");
          case "doors":
            return shown("doorStatus");
          case "climate":
            return {
              ...named("currentACTemperature", "acTemperature"),
              ...shown("fanSpeed"),
              ...named("climateMode", "acMode"),
              ...shown("humidityLevel"),
            };
          case "headlights":
            return named("headlightStatus", "headLightStatus");
          case "parkingBrake":
            return {
              ...shown("parkingBrakeStatus"),
              parkingBrakeForce: parkingForce,
              slopeAngle: slope,
            };
          case "brakePedal":
            return { ...shown("brakePedalStatus"), brakePedalForce: pedalForce };
          case "engine":
            return named("engineState", "engine_state");
          default:
            return { error: "Invalid option" };
        }
      }),
      activateParkingBrake: method(["mode"], {}, ({ mode }) => {
        if (mode !== "engage" && mode !== "release") return { error: "Invalid mode" };
        state["parkingBrakeStatus"] = `${mode}d`;
        [parkingForce, slope] = [mode === "engage" ? 500 : 0, 10];
        return {
          ...shown("parkingBrakeStatus"),
          _parkingBrakeForce: parkingForce,
          _slopeAngle: slope,
        };
      }),
      pressBrakePedal: method(["pedalPosition"], {}, ({ pedalPosition: position }) => {
        const share = number(position);
        if (share < 0 || share > 1) return { error: "Pedal position must be between 0 and 1." };
        return share === 0 ? press("released", 0) : press("pressed", share * fullForce);
      }),
      releaseBrakePedal: method([], {}, () => press("released", 0)),
      setCruiseControl: method(["speed", "activate", "distanceToNextVehicle"], {}, (args) => {
        if (state["engine_state"] === "stopped")
          return { error: "Start the engine before activating the cruise control." };
        const { activate } = args;
        const [speed, distance] = [number(args["speed"]), number(args["distanceToNextVehicle"])];
        state["distanceToNextVehicle"] = distance;
        if (activate && (speed < 0 || speed > 120 || speed % 5 !== 0))
          return { error: "Invalid speed" };
        state["cruiseStatus"] = activate ? "active" : "inactive";
        return {
          ...shown("cruiseStatus"),
          currentSpeed: speed,
          distanceToNextVehicle: distance,
        };
      }),
      get_current_speed: method([], {}, () => ({ currentSpeed: random.uniform(0, 120) })),
      display_log: method(["messages"], {}, ({ messages = null }) => ({ log: messages })),
      estimate_drive_feasibility_by_mileage: method(["distance"], {}, ({ distance }) => ({
        canDrive: number(state["fuelLevel"]) * milesPerGallon >= number(distance),
      })),
      liter_to_gallon: method(["liter"], {}, ({ liter }) => ({ gallon: number(liter) * 0.264172 })),
      gallon_to_liter: method(["gallon"], {}, ({ gallon }) => ({
        liter: number(gallon) * 3.78541,
      })),
      estimate_distance: method(["cityA", "cityB"], {}, ({ cityA, cityB }) => {
        const distance = distances[[cityA, cityB].map(String).sort().join(" ")];
        return distance === undefined ? { error: "distance not found in database." } : { distance };
      }),
      get_zipcode_based_on_city: method(["city"], {}, ({ city }) => {
        const name = String(city);
        return { zipcode: Object.hasOwn(zipCodes, name) ? zipCodes[name]! : "00000" };
      }),
      set_navigation: method(["destination"], {}, ({ destination = null }) => {
        state["destination"] = destination;
        return { status: `Navigating to ${text(destination)}` };
      }),
      check_tire_pressure: method([], {}, () => {
        const mean = tires.reduce((sum, tire) => sum + number(state[tire]), 0) / tires.length;
        const healthy: Json = mean >= 30 && mean <= 35;
        return { ...shown(...tires), healthy_tire_pressure: healthy, car_info: {} };
      }),
      find_nearest_tire_shop: method([], {}, () => ({
        shopLocation: "456 Oakwood Avenue, Rivermist, 83214",
      })),
    },
  };
};
