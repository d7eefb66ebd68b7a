import { randomUUID } from "node:crypto"
import { expect, test } from "vitest"
import { authenticate, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"
import { newHolder } from "../support/tokenKinds.ts"
import { passwordToken } from "../support/tokens.ts"

test("RG-20: concurrent logins of all kinds for one user never deadlock", async () => {
  const realm = await (await service()).given.realm()
  for (const _ of [1, 2]) {
    const { user, device } = await newHolder(realm)
    const { id } = user
    const pending: Array<string> = []
    const resets: Array<string> = []
    for (let n = 0; n < 6; n += 1) pending.push((await authenticate(realm, id)).string("token"))
    for (let n = 0; n < 4; n += 1) resets.push(await passwordToken(realm, id))

    let requests = 0
    // Every second request has an Idempotency-Key and therefore holds its locks until it gets its response.
    const post = (path: string, body: unknown) => {
      requests += 1
      return realm.post(path, body, requests % 2 === 0 ? { "idempotency-key": randomUUID() } : {})
    }
    const code = device.code()
    const replies = await Promise.all([
      ...pending.map((token) => post("/v2/users/authenticate_token", { user: { token, code } })),
      ...["wrong", PASSWORD, PASSWORD, "wrong", "wrong", PASSWORD].map((password) =>
        post(`/v2/users/${id}/authenticate`, { user: { password } })
      ),
      ...resets.map((token) =>
        post("/v2/users/reset_password_with_token", { user: { token, password: OTHER_PASSWORD } })
      ),
      ...[0, 1].map(() => post(`/v2/credentials/${device.id}/verify`, { credential: { code: device.code(1) } })),
      ...[0, 1].map(() => post("/v2/sessions", { session: { user_id: id } })),
      realm.put(`/v2/users/${id}`, { user: { first_name: "Al" } })
    ])
    expect(
      replies.filter(({ status }) => ![200, 201, 422].includes(status)).map(({ status, text }) => [status, text])
    ).toEqual([])
    const resetReplies = replies.slice(12, 16).filter(({ status }) => status === 200)
    expect(resetReplies).toHaveLength(1)
    expect((await authenticate(realm, id, OTHER_PASSWORD)).status).toBe(200)
  }
})
