import { expect, test } from "vitest"
import { holdLocks } from "../../support/locks.ts"
import { ownService } from "../../support/sallyport.ts"

test("concurrent creations of realms don't wait for each other while the maximum is far away", () =>
  ownService(async ({ given, otherSql }) => {
    const ask = () => given.root.post("/v2/realms", { realm: { name: "One more", jwt_algo: "hs256" } })
    const counting = otherSql`select pg_advisory_xact_lock(hashtext('number of realms'))`
    await using _ = await holdLocks({ otherSql }, counting)
    expect((await ask()).status).toBe(201)
  }))
