import { crowdScenes } from "./crowd.ts";
import { deliveryScenes } from "./deliveries.ts";
import { deployScenes } from "./deploy.ts";
import { freeScenes } from "./free.ts";
import { guideScenes } from "./guide.ts";
import { judgedScenes } from "./judged.ts";
import { loadScenes } from "./load.ts";
import { outageScenes } from "./outage.ts";
import { pieceScenes } from "./pieces.ts";
import { readerScenes } from "./readers.ts";
import { scaleScenes } from "./scale.ts";
import type { Scene } from "./scene.ts";
import { strangerScenes } from "./strangers.ts";
import { yearScenes } from "./year.ts";

/** The longest scenes come first, so that all end at about the same time. */
export const scenes: readonly Scene[] = [
  ...loadScenes,
  ...pieceScenes,
  ...yearScenes,
  ...outageScenes,
  ...scaleScenes,
  ...judgedScenes,
  ...guideScenes,
  ...deployScenes,
  ...deliveryScenes,
  ...freeScenes,
  ...crowdScenes,
  ...readerScenes,
  ...strangerScenes,
];
