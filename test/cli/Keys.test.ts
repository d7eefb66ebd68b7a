import { describe, expect, test } from "vitest"
import { service } from "../support/sallyport.ts"
import { cli, reaching } from "./Cli.ts"

describe("keys", () => {
  test("delete asks for the name on a terminal, and deletes the key then", async () => {
    const at = await service()
    const realm = await at.given.realm()
    const { id } = await at.given.root.post("/v2/api_keys", {
      api_key: { name: "old backend", level: "read", realm_id: realm.id }
    })
    const environment = reaching(at)
    expect(await cli(["keys", "delete", id], { environment, answers: ["backend"] })).toEqual({
      code: 1,
      out: "",
      err: `The key old backend (${id}) will be refused from then on.\nType old backend to confirm: \n\u001b[31mError: \u001b[39mThat isn't the name: nothing was deleted.\n`
    })
    expect(await cli(["keys", "delete", id], { environment, answers: ["old backend"] })).toMatchObject({
      code: 0,
      out: `Deleted the key old backend (${id}).\n`
    })
    expect(await cli(["keys", "delete", id], { environment, answers: ["old backend"] })).toMatchObject({ code: 1 })
  })
})
