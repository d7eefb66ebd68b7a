import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, relative } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The folder outside the repository in which the package is installed. */
    installed: string
    /** The packed package. */
    tarball: string
    /** npm's output during the installation. */
    printed: string
    /** The package's files, before anything has run. */
    packed: ReadonlyArray<string>
    /** The path of a Node 20. */
    oldNode: string
  }
}

/** The tools that the projects use besides the package, in the repository's versions. */
const tools = ["typescript", "vitest", "express", "@types/express", "fastify", "hono"]

const root = join(import.meta.dirname, "../..")

const execute = promisify(execFile)

/** The Node release that the client must support, downloaded if the machine has another one. */
const OLD = "20.20.2"

/** The machine's program folders, without those that npm prepends. */
const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"))

/** The machine's own Node, if it is of that release. */
const machinesNode = async (): Promise<string | undefined> => {
  for (const folder of folders) {
    const node = join(folder, "node")
    const version = await execute(node, ["--version"]).catch(() => undefined)
    if (version?.stdout.startsWith(`v${OLD.split(".", 1)}.`)) return node
  }
  return undefined
}

const install = (folder: string, ...packages: ReadonlyArray<string>) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  return execute("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], {
    cwd: folder,
    env: { HOME: process.env["HOME"], PATH: folders.join(delimiter) }
  })
}

const pack = async (folder: string): Promise<string> => {
  await execute("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root })
  const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"))
  return join(folder, name)
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))

/**
 * Packs the package and installs it into an empty folder with the machine's own Node. The parent folder gets what the
 * projects also need: jest, and tools that the repository has too.
 */
export const setup = async (project: TestProject) => {
  const top = mkdtempSync(join(tmpdir(), "sallyport-package-"))
  const installed = join(top, "app")
  const given = await machinesNode()
  const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
  const others = given === undefined ? [`node-${platform}@${OLD}`] : []
  const tarball = await pack(top)
  const [{ stdout, stderr }] = await Promise.all([
    install(installed, tarball),
    install(join(top, "above"), "jest@30.5.2", ...others)
  ])
  const above = join(top, "node_modules")
  symlinkSync(join(top, "above/node_modules"), above)
  for (const tool of tools) symlinkSync(join(root, "node_modules", tool), join(above, tool))
  project.provide("tarball", tarball)
  project.provide("installed", installed)
  project.provide("printed", stdout + stderr)
  project.provide("packed", filesIn(join(installed, "node_modules/sallyport")))
  project.provide("oldNode", given ?? join(above, `node-${platform}/bin/node`))
  return () => rmSync(top, { recursive: true, force: true })
}
