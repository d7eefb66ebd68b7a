// Runs the service of BENCH_SERVICE. On SIGUSR2 the process collects its garbage and writes the live heap, in bytes, to BENCH_HEAP.
import { writeFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const { BENCH_SERVICE = "", BENCH_HEAP = "" } = process.env
setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")
process.on("SIGUSR2", () => {
  collect()
  writeFileSync(BENCH_HEAP, String(process.memoryUsage().heapUsed))
})
await import(BENCH_SERVICE)
