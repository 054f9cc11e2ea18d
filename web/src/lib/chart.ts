/** A pleasant distance between lines of a grid: 1, 2, 5, 10, 20, 50 … at least as large as asked for. */
export function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1e-9)));
  return ([1, 2, 5, 10].find((n) => n * power >= wanted) ?? 10) * power;
}

export function linePath(values: readonly number[], x: (i: number) => number, y: (value: number) => number): string {
  return values.map((value, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}
