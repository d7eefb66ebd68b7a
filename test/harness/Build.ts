import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

const root = new URL("../..", import.meta.url).pathname

/** The path of the bundle to run: the given one, or a new build. */
export const buildService = (given: string | undefined): string => {
  if (given !== undefined) return resolve(given)
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error("npm run build failed")
  const manifest: { readonly bin: { readonly sallyport: string } } = JSON.parse(
    readFileSync(resolve(root, "package.json"), "utf8")
  )
  return resolve(root, manifest.bin.sallyport)
}

/** The flags with which the container runs the bundle, so that the benchmark runs it the same way. */
export const imageFlags = (): ReadonlyArray<string> => {
  const command = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(resolve(root, "Dockerfile"), "utf8"))?.[1]
  const words: unknown = command === undefined ? [] : JSON.parse(command)
  return Array.isArray(words)
    ? words.filter((word): word is string => typeof word === "string" && word.startsWith("--"))
    : []
}
