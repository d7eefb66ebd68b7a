type Unit = readonly [one: string, several: string]

const counted = (count: number, [one, several]: Unit): string => `${count} ${count === 1 ? one : several}`

/** A time in words: to the second up to two minutes, then in minutes, rounded up. */
export const lasting = (seconds: number, second: Unit, minute: Unit): string =>
  seconds < 120 ? counted(seconds, second) : counted(Math.ceil(seconds / 60), minute)
