import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { GivenRealm } from "#testing/Given"
import { browserService } from "./Service.ts"
import { freePort } from "./Site.ts"

const root = resolve(import.meta.dirname, "../..")

const server = resolve(root, "examples/notes/server.mjs")

let built: Promise<unknown> | undefined

/** Builds the SDK that the example imports, once. */
const build = () => (built ??= promisify(execFile)(process.execPath, [resolve(root, "build/Libraries.ts")]))

/** The running example app and its service. */
export interface Notes {
  readonly origin: string
  /** The origin of the realm's login pages. */
  readonly loginPages: string
  readonly realm: GivenRealm
}

/** Runs the example app until `use` is done. */
export const withNotes = async <A>(use: (notes: Notes) => Promise<A>): Promise<A> => {
  await build()
  const { publicUrl, key, given } = await browserService()
  const port = await freePort()
  const env = { ...process.env, SALLYPORT_URL: publicUrl, SALLYPORT_ROOT_KEY: key, NOTES_PORT: String(port) }
  const child = spawn(process.execPath, [server], { env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  const ready = new Promise<void>((begun, failed) => {
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes("Notes is ready at")) begun()
    }
    child.stdout.on("data", onOutput)
    child.stderr.on("data", onOutput)
    child.on("exit", () => failed(new Error(`The example app exited: ${output}`)))
  })
  try {
    await ready
    const { items } = await given.root.get("/v2/realms?reference=example:notes")
    const loginPages = /Login pages: (\S+)\/login/.exec(output)?.[1] ?? ""
    const realm = new GivenRealm(given.root.url, key, String(items[0]?.["id"]))
    return await use({ origin: `http://localhost:${port}`, loginPages, realm })
  } finally {
    const gone = child.exitCode === null ? once(child, "exit") : undefined
    child.kill()
    await gone
  }
}
