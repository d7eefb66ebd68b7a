import { readFileSync } from "node:fs"

// Loaded into a process before everything else (`--import`): its clock is ahead by as many milliseconds as a file says, and goes
// on doing so when the file changes.
const { MOVED_CLOCK: file = "" } = process.env
const real = Date.now
let ahead = 0
const read = () => {
  ahead = Number(readFileSync(file, "utf8")) || 0
}

read()
setInterval(read, 20).unref()
Date.now = () => real() + ahead
