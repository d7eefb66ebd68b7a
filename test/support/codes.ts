import { mailedCode } from "#core/tokens/MailedCodes"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { expectSuccess } from "../tour/Fixtures.ts"

/** A realm whose users can log in with emailed codes. */
export const withEmailCodes = async (realm: GivenRealm, settings: object = {}): Promise<GivenRealm> => {
  await expectSuccess(realm.put("/v2/auth_providers/email_code", { auth_provider: { state: "active", ...settings } }))
  return realm
}

export const sendCode = (realm: GivenRealm, user: string, body: object = {}, version = "v2"): Promise<Reply> =>
  realm.post(`/${version}/users/${user}/send_code`, body)

/** The token of the link in the latest code email to a user. */
export const codeLink = async (realm: GivenRealm, userId: string): Promise<string> => {
  const { items } = await realm.get(
    `/v2/events?user_id=${userId}&event_type=user.email_code.requested&direction=desc&max_results=1`
  )
  const [latest] = items
  if (latest === undefined) throw new Error(`No code was emailed to ${userId}.`)
  return String(latest["token"])
}

/** The code in the latest email to a user. */
export const codeOf = async (realm: GivenRealm, userId: string): Promise<string> =>
  mailedCode(await codeLink(realm, userId))

/** A code that differs from this one. */
export const otherCode = (code: string, n = 1): string => String((Number(code) + n) % 1_000_000).padStart(6, "0")

/** Creates new recovery codes for a user. */
export const recoveryCodes = async (realm: GivenRealm, user_id: string): Promise<ReadonlyArray<string>> => {
  const made = await expectSuccess(
    realm.post("/v2/credentials", { credential: { credential_type: "recovery_codes", user_id } })
  )
  return [made.member("codes")].flat().map(String)
}
