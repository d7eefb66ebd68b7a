import { machineTime } from "./MachineTime.ts"

/** Returns the current time as a `Date` or in Unix milliseconds, like `Date.now` and the test kit's `now`. */
export type Now = () => Date | number

/** The earliest accepted time. This detects seconds passed as milliseconds. */
const EARLIEST = Date.UTC(2000, 0)

/** Returns the current time in Unix milliseconds. Throws a TypeError if `time` returns anything else. */
export const nowMillis = (time: Now = machineTime): number => {
  const millis = Number(time())
  if (millis >= EARLIEST) return millis
  throw new TypeError("now must return the current time as a Date or in Unix milliseconds.")
}

/** Returns the current time in whole Unix seconds. Throws a TypeError if `time` returns anything else. */
export const nowSeconds = (time?: Now): number => Math.floor(nowMillis(time) / 1000)
