import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import type { HeldResources } from "./Probe.ts"

const ask = async (socket: string, snapshot: string): Promise<HeldResources> => {
  const connection = connect(socket)
  connection.end(snapshot)
  const held: HeldResources = JSON.parse(await text(connection))
  return held
}

/**
 * The number of readings for each sample, and the milliseconds between them. Taking their minimum excludes temporary
 * objects.
 */
const TIMES = 3
const BETWEEN = 150

/** The sum over all kinds. */
export const countOf = (handles: HeldResources["handles"]): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0)

/** Returns the smallest amounts that a process holds over several readings. `snapshot`: the file for a heap snapshot. */
export const minHeld = async (socket: string, snapshot = ""): Promise<HeldResources> => {
  const looks: Array<HeldResources> = []
  for (let time = 1; time <= TIMES; time++) {
    looks.push(await ask(socket, time === TIMES ? snapshot : ""))
    await setTimeout(BETWEEN)
  }
  const [first, ...others] = looks
  if (first === undefined) throw new Error("The process was not probed.")
  return others.reduce(
    (least, look) => ({
      live: Math.min(least.live, look.live),
      resident: Math.min(least.resident, look.resident),
      handles: countOf(look.handles) < countOf(least.handles) ? look.handles : least.handles,
      files: Math.min(least.files, look.files),
      fibers: Math.min(least.fibers, look.fibers),
      cpu: look.cpu
    }),
    first
  )
}
