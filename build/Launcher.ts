#!/usr/bin/env node
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { RELEASE } from "../src/http/docs/Release.ts"
import { nodeRefusal } from "../src/server/NodeVersion.ts"

// The command of the package `sallyport`. It runs the program in `sallyport-service`, which is installed separately.

/** Returns the program that is installed next to this package, or else in the current folder. */
const findProgram = (): string | undefined => {
  for (const from of [import.meta.url, pathToFileURL(`${process.cwd()}/`)]) {
    try {
      return createRequire(from).resolve("sallyport-service/program")
    } catch {
      // Not installed there.
    }
  }
  return undefined
}

/** Prints why there is nothing to run. */
const fail = (message: string): void => {
  console.error(message)
  process.exitCode = 1
}

const refusal = nodeRefusal(process.versions.node)
const program = findProgram()
// On Node 20, the program itself rejects everything except help and version (C128). It can't be loaded on older releases.
if (refusal !== undefined && typeof process.getBuiltinModule !== "function") fail(refusal)
else if (program === undefined)
  fail(
    `The command sallyport needs the package sallyport-service, which is not installed. Install it: npm install sallyport-service@${RELEASE}, or npm install ./sallyport-service-${RELEASE}.tgz if you packed it yourself.`
  )
else await import(pathToFileURL(program).href)
