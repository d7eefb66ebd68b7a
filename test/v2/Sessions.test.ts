import { decodeJwt } from "jose"
import { expect, test } from "vitest"
import { service } from "../support/sallyport.ts"

test("POST /v2/sessions answers 201 with the token and the nested user, and records no event", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const user = await realm.user({ first_name: "Jo" })
  const { result, events } = await realm.seen.during(() => realm.session(user.id))
  expect(events).toEqual([])
  expect(result.body).toMatchObject({ object: "session", user_id: user.id, user: { id: user.id, first_name: "Jo" } })
  expect(decodeJwt(result.string("token"))).toMatchObject({ sub: user.id, sid: result.id, rid: realm.id })
})
