/** The smallest clock difference to report, in milliseconds. Codes of authenticator apps are valid for about as long. */
const MIN_REPORTED_MILLIS = 5 * 60_000

const lengthOf = (millis: number): string => {
  const minutes = Math.round(millis / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(millis / 3_600_000)
  return hours < 48 ? `${hours} hours` : `${Math.round(millis / 86_400_000)} days`
}

/**
 * Returns a warning if this machine's clock differs from the service's. `date`: the response's Date header. `now`: this
 * machine's time in Unix milliseconds.
 */
export const clockWarning = (date: string | null, now: number): string | undefined => {
  const serviceTime = Date.parse(date ?? "")
  const ahead = now - serviceTime
  if (!(Math.abs(ahead) >= MIN_REPORTED_MILLIS)) return undefined
  const side = ahead > 0 ? "ahead of" : "behind"
  return `Warning: this machine's clock is ${lengthOf(Math.abs(ahead))} ${side} the service's. Tokens issued by one look expired or not yet valid to the other. Correct the wrong clock, for example with timedatectl set-ntp true.`
}
