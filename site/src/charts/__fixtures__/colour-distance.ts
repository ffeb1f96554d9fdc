/**
 * What of linear RGB reaches eyes without one kind of cone.
 * Source: Machado, Oliveira and Fernandes 2009, severity 1.
 */
const lost = {
  full: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deutan: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritan: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
} as const;
type Vision = keyof typeof lost;
export const visions = Object.keys(lost) as Vision[];

const linear = (hex: string): number[] =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });

const times = (matrix: readonly number[], [a = 0, b = 0, c = 0]: readonly number[]): number[] =>
  [0, 3, 6].map((row) => matrix[row]! * a + matrix[row + 1]! * b + matrix[row + 2]! * c);

/** Matrix from linear sRGB to XYZ, relative to the white point D65. */
const toXyz = [0.4339, 0.37622, 0.18988, 0.21267, 0.71515, 0.07218, 0.01776, 0.10947, 0.87277];

function labOf(hex: string, vision: Vision): [number, number, number] {
  const seen = times(lost[vision], linear(hex)).map((one) => Math.min(1, Math.max(0, one)));
  const [x, y, z] = times(toXyz, seen).map((one) =>
    one > 0.008856 ? Math.cbrt(one) : 7.787 * one + 16 / 116,
  ) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Distance of two colours as an eye sees them, ΔE of 1976. */
export function colourDistance(a: string, b: string, vision: Vision): number {
  const [one, other] = [labOf(a, vision), labOf(b, vision)];
  return Math.hypot(...one.map((value, i) => value - other[i]!));
}
