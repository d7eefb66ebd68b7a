import { readFileSync } from "node:fs"

// Loaded into each node before everything else (`--import`): its clock is ahead by as many milliseconds as the file says that is
// named after its port in the folder MOVED_CLOCKS. Without a file it is right. The monotonic clock stays what it is.
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
