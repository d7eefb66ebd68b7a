import { readFileSync } from "node:fs"

// Loaded into each node before everything else (`--import`): sets its clock ahead by the milliseconds in the file that
// is named after its port, in the folder MOVED_CLOCKS. Without a file the clock is right. The monotonic clock is never
// changed.
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
