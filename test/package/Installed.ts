import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, relative } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The folder outside the repository in which both packages and Effect are installed. */
    installed: string
    /** A folder in which only the client is installed. No folder above it has packages. */
    clientAlone: string
    /** The packed packages: the client, then the service. */
    tarballs: ReadonlyArray<string>
    /** npm's output during the installation. */
    printed: string
    /** The files of the client's package. */
    clientFiles: ReadonlyArray<string>
    /** The files of the service's package, before anything has run. */
    serviceFiles: ReadonlyArray<string>
    /** The path of a Node 20. */
    oldNode: string
  }
}

/** The tools that the projects use besides the packages, in the repository's versions. */
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

const pack = async (folder: string): Promise<ReadonlyArray<string>> => {
  await execute("npm", ["run", "pack", "--", "--silent", "--pack-destination", folder], { cwd: root })
  const names = readdirSync(folder).filter((file) => file.endsWith(".tgz"))
  return names.sort().map((name) => join(folder, name))
}

/** The repository's Effect, for the entries that need it. */
const effect = (): string => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  return `effect@${devDependencies["effect"]}`
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))

/**
 * Packs the packages and installs them into empty folders with the machine's own Node. The folder above the projects
 * gets what they also need: jest, and tools that the repository has too.
 */
export const setup = async (project: TestProject) => {
  const top = mkdtempSync(join(tmpdir(), "sallyport-package-"))
  const installed = join(top, "app")
  const clientAlone = mkdtempSync(join(tmpdir(), "sallyport-client-"))
  const given = await machinesNode()
  const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
  const others = given === undefined ? [`node-${platform}@${OLD}`] : []
  const tarballs = await pack(top)
  const [{ stdout, stderr }] = await Promise.all([
    install(installed, ...tarballs, effect()),
    install(clientAlone, ...tarballs.slice(0, 1)),
    install(join(top, "above"), "jest@30.5.2", ...others)
  ])
  const above = join(top, "node_modules")
  symlinkSync(join(top, "above/node_modules"), above)
  for (const tool of tools) symlinkSync(join(root, "node_modules", tool), join(above, tool))
  project.provide("tarballs", tarballs)
  project.provide("clientAlone", clientAlone)
  project.provide("installed", installed)
  project.provide("printed", stdout + stderr)
  project.provide("clientFiles", filesIn(join(installed, "node_modules/sallyport")))
  project.provide("serviceFiles", filesIn(join(installed, "node_modules/sallyport-service")))
  project.provide("oldNode", given ?? join(above, `node-${platform}/bin/node`))
  return () => {
    for (const folder of [top, clientAlone]) rmSync(folder, { recursive: true, force: true })
  }
}
