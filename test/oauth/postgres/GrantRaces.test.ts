import { DateTime, Effect } from "effect"
import { expect, test } from "vitest"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { authorize, authorizing, VERIFIER } from "../../support/authorize.ts"
import { awaitBlockedConnection, holdLocks } from "../../support/locks.ts"
import { enterCode, postForm, withDevice } from "../../support/oauthDevices.ts"
import { redeem } from "../../support/oauthTokens.ts"
import { idOf, repositoriesOn } from "../../support/repositories.ts"
import { isolatedService, type OwnService } from "../../support/sallyport.ts"

interface Attempt {
  readonly realm: GivenRealm
  readonly userId: string
  readonly redeem: () => Promise<Reply>
}

/** The result of a redemption that begins just before another connection ends all grants of its user. */
const duringPasswordChange = async (own: OwnService, { realm, userId, redeem }: Attempt) => {
  const [realmId, id] = [idOf("realm", realm.id), idOf("user", userId)]
  const ending = Effect.gen(function* () {
    const sessions = yield* SessionsRepo
    yield* sessions.deleteOfUser(realmId, id, yield* DateTime.now, "password_changed")
  })
  const locks = await holdLocks(
    own,
    own.otherSql`select 1 from users where realm_id = ${realmId} and id = ${id} for update`,
    Effect.provide(ending, repositoriesOn(own.otherSql))
  )
  const reply = redeem()
  await awaitBlockedConnection(own)
  await locks.release()
  const grants = (await realm.get(`/v2/grants?user_id=${userId}`)).items
  return { reply: await reply, grants }
}

const refused = { reply: expect.objectContaining({ status: 400 }), grants: [] }

test("SEC-188: redeeming a code while a password change ends all grants creates no grant", () =>
  isolatedService(async (own) => {
    const at = await authorizing(await own.given.realm())
    const { code = "" } = await authorize(at, { scope: "openid offline_access" })
    const redeemed = () => redeem(at.client, at.realm, code, { code_verifier: VERIFIER })
    expect(await duringPasswordChange(own, { realm: at.realm, userId: at.user.id, redeem: redeemed })).toEqual(refused)
  }))

test("SEC-188: a device that polls while a password change ends all grants gets no tokens", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    await at.visitor.fill({}, "Allow")
    const poll = () =>
      postForm(realm, "token", {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: at.client.id,
        device_code: at.device.deviceCode
      })
    expect(await duringPasswordChange(own, { realm, userId: at.user.id, redeem: poll })).toEqual(refused)
  }))
