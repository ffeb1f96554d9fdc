import { boardIsland } from "./board-island.ts";

for (const board of document.querySelectorAll<HTMLElement>("[data-board]")) {
  boardIsland(board, window);
}
