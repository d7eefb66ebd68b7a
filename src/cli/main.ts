#!/usr/bin/env node
import { fileURLToPath } from "node:url"
import { cacheCompiledCode } from "#server/CompileCache"
import { limitHeapGrowth } from "#server/HeapGrowth"
import { nodeRefusal } from "#server/NodeVersion"

const words = process.argv.slice(2)

// Help and version also work on older Node.js releases (C128).
const isQuestion = ["--help", "-h", "--version", "-v"].some((option) => words.includes(option))
const refusal = nodeRefusal(process.versions.node)
if (refusal !== undefined && !isQuestion) {
  console.error(refusal)
  process.exit(1)
}

limitHeapGrowth()
cacheCompiledCode(fileURLToPath(import.meta.url))

// Imported after the compile cache is enabled, so that each module is compiled only once.
const { runMain } = await import("@effect/platform-node/NodeRuntime")
const { WORKER } = await import("#server/Command")

const [command, ...options] = words
const isPlain = options.every((option) => option === "--json")

// The service starts without the framework of the other commands (ADR-0018).
if (command === WORKER || (command === "serve" && isPlain)) {
  const { exitCode, programOf } = await import("#server/Program")
  runMain(programOf(command, options.includes("--json")), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitCode(exit))
  })
} else if (command === "health" && options.length === 0) {
  // Containers run this check every few seconds, so it loads as little as possible.
  const { reportHealth } = await import("#server/HealthCheck")
  runMain(reportHealth, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exit._tag === "Success" ? 0 : 1)
  })
} else {
  const { exitCode, program } = await import("./Program.ts")
  runMain(program(words), { disableErrorReporting: true, teardown: (exit, onExit) => onExit(exitCode(exit)) })
}
