import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Given } from "#testing/Given"
import { type Block, blocksOf, textOf } from "../guides/Page.ts"
import { ServerTerminal } from "../guides/Terminal.ts"
import { freePort, Walkthrough } from "../guides/Walkthrough.ts"
import { installed } from "./Consumer.ts"

const ROOT_KEY = "sk_the-root-key-of-whoever-installs-the-packages"

/** The reader's environment. The packages' own command is on the path, as in an npm script. */
const environment = {
  HOME: installed,
  PATH: [dirname(process.execPath), join(installed, "node_modules/.bin"), process.env["PATH"]].join(":")
}

let port: number
let service: ServerTerminal

beforeAll(async () => {
  port = await freePort()
  const settings = {
    PORT: String(port),
    DATABASE_URL: "memory://",
    SALLYPORT_ROOT_KEY: ROOT_KEY,
    SALLYPORT_LIMITS: "off"
  }
  service = new ServerTerminal("npx sallyport serve", installed, { ...environment, ...settings })
  await service.started()
})

afterAll(() => service.end())

const follow = async (name: string, blocks: ReadonlyArray<Block>) => {
  expect(blocks.length).toBeGreaterThan(0)
  const url = `http://localhost:${port}`
  const realm = await new Given(url, ROOT_KEY).realm({ jwt_algo: "rs256" })
  const KEY = (await realm.as("admin_realm")).key ?? ""
  const reader = await Walkthrough.begin(join(installed, `guide-${name}`), blocks, {
    variables: { ...environment, URL: url, ROOT_KEY, REALM: realm.id, KEY, AUTH: `Authorization: Bearer ${KEY}` },
    seen: `Root key: ${ROOT_KEY}`,
    port,
    service: () => service.printed,
    links: {}
  })
  try {
    for (const block of blocks) await reader.follow(block)
  } finally {
    await reader.end()
  }
}

// The other tests of the guides follow all pages in a checkout. These pages have the packages' entries and the command.
test.each([
  "first-steps",
  "sdk",
  "hosted-login",
  "verify-tokens",
  "webhooks"
])("docs/guides/%s.md works with the installed packages", (guide) => follow(guide, blocksOf(textOf(guide))))

test("README.md works with the installed packages", () => {
  const [shown = ""] = readFileSync(new URL("../../README.md", import.meta.url), "utf8").split("\n## Guides")
  return follow("readme", blocksOf(shown))
})
