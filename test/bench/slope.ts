/** The slope of the line through the points, both axes logarithmic: 0 is flat, 1 is linear. */
export function slopeOf(at: readonly number[], ms: readonly number[]): number {
  const [x, y] = [at.map(Math.log), ms.map(Math.log)]
  const mean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const [middle, height] = [mean(x), mean(y)]
  const over = x.reduce((sum, one, n) => sum + (one - middle) * ((y[n] ?? Number.NaN) - height), 0)
  return over / x.reduce((sum, one) => sum + (one - middle) ** 2, 0)
}

/** How it's said. */
export function slopeInWords(slope: number): string {
  if (slope < 0.15) return 'flat'
  if (slope < 0.85) return 'less than linear'
  return slope <= 1.15 ? 'linear' : 'more than linear'
}
