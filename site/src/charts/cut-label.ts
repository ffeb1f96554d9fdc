/** A name of so many characters at most; what is cut off shows as an ellipsis. */
export const cutLabel = (label: string, most: number): string =>
  label.length <= most ? label : `${label.slice(0, Math.max(1, most - 1))}…`;
