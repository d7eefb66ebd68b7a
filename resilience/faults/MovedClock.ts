import { readFileSync } from "node:fs"

// Loaded into each node before everything else (`--import`). Shifts the node's clock by the milliseconds in a file,
// which is named after the node's port, in the folder MOVED_CLOCKS. Without a file, the clock is right. The monotonic
// clock never changes.
const { MOVED_CLOCKS = "", PORT = "" } = process.env
const real = Date.now
let ahead = 0

const read = () => {
  try {
    ahead = Number(readFileSync(`${MOVED_CLOCKS}/${PORT}`, "utf8")) || 0
  } catch {
    ahead = 0
  }
}

read()
setInterval(read, 20).unref()
Date.now = () => real() + ahead
