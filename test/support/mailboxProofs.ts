import { type GivenRealm, uniqueText } from "#testing/Given"
import { PASSWORD } from "./logins.ts"
import { clockedService } from "./sallyport.ts"
import { claimsIn, Visitor, visitorAtApp } from "./visitor.ts"

/** The links in the emails to an address that are due by now. */
export const links = async (email: string): Promise<ReadonlyArray<string>> => {
  const { advance, postbox } = await clockedService()
  await advance("1 second")
  return postbox.take(email).map(({ text }) => /https:\/\/[^\s)>"]+/.exec(text ?? "")?.[0] ?? "")
}

/** A user as stored. */
export const stored = async (realm: GivenRealm, id: string) => {
  const { body } = await realm.get(`/v2/users/${id}`)
  return body
}

/** An attacker who has signed up on an app's host with another person's email, and is logged in there. */
export const preHijacked = async () => {
  const realm = await (await clockedService()).given.realm({ email_verification: "request" })
  const { visitor: attacker, origin } = await visitorAtApp(realm)
  const email = `${uniqueText("victim")}@example.test`
  await attacker.open("/signup")
  await attacker.fill({ username: uniqueText("eve"), email, password: PASSWORD })
  const claims = claimsIn(attacker.leads)
  const user = await realm.get(`/v2/users/${String(claims["sub"])}`)
  return {
    realm,
    attacker,
    owner: new Visitor(realm.transport, origin),
    origin,
    email,
    user,
    sid: String(claims["sid"])
  }
}
