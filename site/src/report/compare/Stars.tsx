/** Marks of significance behind a figure; they take no room, so that figures are aligned. */
export const Stars = ({ text }: { text: string }) =>
  text === "" ? null : <span class="stars">{text}</span>;
