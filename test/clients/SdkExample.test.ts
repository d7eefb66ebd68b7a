import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { Sallyport } from "#client/Sallyport"
import { inNewRealm, rootOptions } from "../support/sdk.ts"

const source = readFileSync(new URL("../../src/client/Sallyport.ts", import.meta.url), "utf8")

test("runs the example in the client's documentation as written", async () => {
  const { realm } = await inNewRealm()
  const options = await rootOptions()
  class NearSallyport extends Sallyport {
    constructor() {
      super(options)
    }
  }
  const [, lines = ""] = /```ts\n([\s\S]*?) \* ```/.exec(source) ?? []
  const around = { Sallyport: NearSallyport, process: { env: {} }, realm_id: realm.id }
  const user = await runInNewContext(`(async () => {\n${lines.replaceAll(/^ \* /gm, "")}\nreturn user })()`, around)
  expect(user).toMatchObject({ object: "user", realm_id: realm.id, email: "ada@example.com" })
})
