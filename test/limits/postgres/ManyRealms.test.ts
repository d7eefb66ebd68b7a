import { expect, test } from "vitest"
import { holdLocks } from "../../support/locks.ts"
import { ownService } from "../../support/sallyport.ts"

test("far from the most realms a deployment may hold, none waits for another that is being created", () =>
  ownService(async ({ given, besideSql }) => {
    const ask = () => given.root.post("/v2/realms", { realm: { name: "One more", jwt_algo: "hs256" } })
    const counting = besideSql`select pg_advisory_xact_lock(hashtext('number of realms'))`
    await using _ = await holdLocks({ besideSql }, counting)
    expect((await ask()).status).toBe(201)
  }))
