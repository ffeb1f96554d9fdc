/** Whether an axis of these times or costs can be logarithmic, as all of them are: none is 0. */
export const isLog = (values: readonly number[]): boolean =>
  values.length > 0 && values.every((value) => value > 0);
