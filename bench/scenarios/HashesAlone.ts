import { execFileSync } from "node:child_process"

/** The results of a program that only verifies passwords. */
export interface HashRate {
  readonly perSecond: number
  /** CPU time per hash in milliseconds. The kernel's part is mostly zeroing each hash's 19 MiB. */
  readonly userMillis: number
  readonly systemMillis: number
}

const program = new URL("./HashRate.ts", import.meta.url).pathname

/** Verifies passwords, two at once, and does nothing else. `place`: pins it to cores. */
export const measureHashRate = (
  place: (command: string, parameters: ReadonlyArray<string>) => readonly [string, ReadonlyArray<string>],
  seconds: number
): HashRate => {
  const [command, parameters] = place(process.execPath, [program, String(seconds), "2"])
  const rate: HashRate = JSON.parse(execFileSync(command, parameters, { encoding: "utf8" }))
  return rate
}
