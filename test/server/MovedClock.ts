import { readFileSync } from "node:fs"

// Preloaded into a process (`--import`). Sets the process's clock ahead by the number of milliseconds in a file, and
// follows changes of the file.
const { MOVED_CLOCK: file = "" } = process.env
const real = Date.now
let ahead = 0
const read = () => {
  ahead = Number(readFileSync(file, "utf8")) || 0
}

read()
setInterval(read, 20).unref()
Date.now = () => real() + ahead
