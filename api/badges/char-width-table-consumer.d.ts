declare module "char-width-table-consumer" {
  /** `data`: first and last character of a range, and the width of each in it, px. */
  export function createConsumer(data: readonly (readonly number[])[]): {
    /** px */
    widthOf(text: string): number;
  };
}

declare module "anafanafo" {
  /** Width of a text, px. */
  export default function measure(text: string, options: { font: string }): number;
}
