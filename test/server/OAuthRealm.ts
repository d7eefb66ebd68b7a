import { DEVICE_CODE_GRANT } from "#domain/clients/OAuthClient"
import { Api, Reply } from "#testing/Api"
import { GivenRealm, uniqueText } from "#testing/Given"
import { overHttp } from "#testing/Transport"
import { Person } from "../oauth/peers/Person.ts"
import { PASSWORD } from "../support/logins.ts"
import { basic, oauthClient } from "../support/oauth.ts"

type Form = Readonly<Record<string, string>>

const CALLBACK = "https://app.example.test/callback"

/** The public URL of all nodes, whichever node responds. */
export const PUBLIC_URL = "https://id.example.test"

/** The tokens in a token response. */
export interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** Reads the tokens from a token response. */
export const tokensIn = (reply: Reply): Tokens => ({
  access: reply.string("access_token"),
  refresh: reply.string("refresh_token")
})

/** Posts a form to an endpoint of a realm. */
export const postForm = async (url: string, path: string, form: Form, authorization?: string): Promise<Reply> => {
  const proof = authorization === undefined ? {} : { authorization }
  const headers = { ...proof, "content-type": "application/x-www-form-urlencoded" }
  const body = new URLSearchParams(form).toString()
  const { status, headers: fields, text } = await overHttp(url).send({ method: "POST", path, headers, body })
  return new Reply(status, fields, text)
}

/**
 * Creates a realm with an OAuth client and a logged-in user, on services that share a database. `url` is the URL of one
 * of the services.
 */
export const newOAuthRealm = async (url: string, key: string) => {
  const made = await new Api(url, key).post("/v2/realms", { realm: { name: "OAuth", jwt_algo: "hs256" } })
  const realm = new GivenRealm(url, key, made.id)
  await realm.connectedApp({ name: "Pages" })
  const email = `${uniqueText("jo")}@example.test`
  await realm.user({ email, password: PASSWORD })
  const { id, secret = "" } = await oauthClient(realm, {
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code", "refresh_token"],
    allowed_scopes: ["openid", "offline_access"],
    require_pkce: false,
    consent: "skip"
  })
  const authorization = basic(id, secret)
  const device = await oauthClient(realm, { client_type: "device", allowed_scopes: ["openid", "offline_access"] })
  const at = `/realms/${realm.id}`
  const person = new Person(overHttp(url), { name: email, presses: ["Continue", "Allow"] })

  /** Returns an authorization code for the user. Only the first request has to log in. */
  const code = async (): Promise<string> => {
    const asked = {
      client_id: id,
      response_type: "code",
      redirect_uri: CALLBACK,
      scope: "openid offline_access",
      state: "s"
    }
    const arrived = await person.walk(`${PUBLIC_URL}${at}/authorize?${new URLSearchParams(asked)}`)
    const found = arrived.url.searchParams.get("code")
    if (found === null) throw new Error(`The redirect has no code: ${arrived.url.href}`)
    return found
  }
  const token = (on: string, form: Form) => postForm(on, `${at}/token`, form, authorization)

  return {
    realm,
    person,
    secret,
    code,
    redeem: (on: string, one: string) =>
      token(on, { grant_type: "authorization_code", code: one, redirect_uri: CALLBACK }),
    refresh: (on: string, one: string) => token(on, { grant_type: "refresh_token", refresh_token: one }),
    revoke: (on: string, one: string) => postForm(on, `${at}/revoke`, { token: one }, authorization),
    userinfo: (on: string, access: string) => new Api(on, access).get(`${at}/userinfo`),
    device: (on: string) =>
      postForm(on, `${at}/device_authorization`, { client_id: device.id, scope: "openid offline_access" }),
    poll: (on: string, one: string) =>
      postForm(on, `${at}/token`, { grant_type: DEVICE_CODE_GRANT, client_id: device.id, device_code: one }),
    events: async (...types: ReadonlyArray<string>) =>
      (await realm.get(`/v2/events?event_type=${types.join(",")}`)).items.map(({ event_type }) => event_type)
  }
}

export type OAuthRealm = Awaited<ReturnType<typeof newOAuthRealm>>
