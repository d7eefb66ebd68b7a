import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Given } from "#testing/Given"
import { type Running, start } from "../server/ServerProcess.ts"
import { blocksOf, guides, textOf } from "./Page.ts"
import { Walkthrough } from "./Walkthrough.ts"

const ROOT_KEY = "sk_the-root-key-of-whoever-reads-the-guides"

const folder = mkdtempSync(join(tmpdir(), "sallyport-guides-"))

let service: Running

beforeAll(async () => {
  const environment = { DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: ROOT_KEY, SALLYPORT_TEST_MODE: "on" }
  service = await start(environment)
})

afterAll(async () => {
  await service.stop("SIGTERM")
  rmSync(folder, { recursive: true })
})

/** What `first-steps.md` leaves a reader with, the start of every other page. */
const variables = async () => {
  const { PATH = "", HOME = "" } = process.env
  const realm = await new Given(service.url, ROOT_KEY).realm({ jwt_algo: "rs256" })
  const key = (await realm.as("admin_realm")).key ?? ""
  const bin = new URL("../../node_modules/.bin", import.meta.url).pathname
  return { HOME, PATH: `${bin}:${PATH}`, URL: service.url, ROOT_KEY, REALM: realm.id, KEY: key }
}

test.each(guides)("docs/guides/%s.md: each of its blocks works, and prints what the page shows", async (guide) => {
  const blocks = blocksOf(textOf(guide))
  expect(blocks.length).toBeGreaterThan(0)
  const reader = await Walkthrough.begin(join(folder, guide), blocks, {
    variables: await variables(),
    seen: `Root key: ${ROOT_KEY}`,
    port: Number(new URL(service.url).port),
    service: service.output
  })
  try {
    for (const block of blocks) await reader.follow(block)
  } finally {
    await reader.end()
  }
})
