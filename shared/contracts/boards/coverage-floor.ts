/**
 * Below this share of measured samples a run is shown, not ranked. Apart from the contracts, since pages need it in the
 * browser, and schemas would bring zod along.
 */
export const coverageFloor = 0.95;
