/** Size of the picture of a page where it is shared, px: what most networks ask for. */
export const cardSize = { width: 1200, height: 630 };
