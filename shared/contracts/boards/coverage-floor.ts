/**
 * Runs below this coverage are shown but not ranked. In a file of its own because pages need it in the browser, and a
 * file with schemas would add zod to the bundle.
 */
export const coverageFloor = 0.95;
