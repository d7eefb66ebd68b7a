// Runs a service that can be asked what it holds on to: at SIGUSR2 it collects its garbage and writes down what is left.
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
