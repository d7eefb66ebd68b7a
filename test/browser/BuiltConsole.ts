import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { TestProject } from "vitest/node"
import { buildConsole } from "../../build/Console.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the folder with the console built from these sources. */
    console: string
  }
}

/** Builds the console into a separate folder before the run, since a parallel package build empties `dist`. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-console-"))
  await buildConsole(folder)
  project.provide("console", pathToFileURL(`${folder}/`).href)
  return () => rmSync(folder, { recursive: true, force: true })
}
