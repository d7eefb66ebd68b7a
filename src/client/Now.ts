import { machineTime } from "./MachineTime.ts"

/** Gives the current time: a `Date`, or Unix milliseconds, as `Date.now` and `now` of the test kit do. */
export type Now = () => Date | number

/** From when on a time may be the current one. A number of seconds in place of milliseconds lies before. */
const EARLIEST = Date.UTC(2000, 0)

/** The current time in Unix milliseconds. Throws a TypeError where it is given something else. */
export const millisBy = (time: Now = machineTime): number => {
  const millis = Number(time())
  if (millis >= EARLIEST) return millis
  throw new TypeError("now must give the current time: a Date, or milliseconds since 1970.")
}

/** The current time in whole seconds since 1970. Throws likewise. */
export const secondsBy = (time?: Now): number => Math.floor(millisBy(time) / 1000)
