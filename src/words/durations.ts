const MINUTE = 60
const HOUR = 3600

/** How long something takes, as exactly as an estimate can be: "3 s", "12 min", "1 h 10 min". */
export function durationWords(seconds: number): string {
  if (seconds < MINUTE) return `${Math.max(1, Math.ceil(seconds))} s`
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`
  const minutes = Math.round(seconds / (10 * MINUTE)) * 10
  const left = minutes % 60
  return left === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${left} min`
}
