import { execFileSync } from "node:child_process"

/** The results of a program that only verifies passwords. */
export interface HashRate {
  readonly perSecond: number
  /** The CPU time per hash in milliseconds. The kernel's part is mostly the zeroing of 19 MiB for each hash. */
  readonly userMillis: number
  readonly systemMillis: number
}

const program = new URL("./HashRate.ts", import.meta.url).pathname

/** Verifies passwords, two at a time, with no other work. `place`: pins the program to cores. */
export const measureHashRate = (
  place: (command: string, parameters: ReadonlyArray<string>) => readonly [string, ReadonlyArray<string>],
  seconds: number
): HashRate => {
  const [command, parameters] = place(process.execPath, [program, String(seconds), "2"])
  const rate: HashRate = JSON.parse(execFileSync(command, parameters, { encoding: "utf8" }))
  return rate
}
