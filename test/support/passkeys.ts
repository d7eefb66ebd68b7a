import { Schema } from "effect"
import { CreationOptionsBody, RequestOptionsBody } from "#api/credentials/Passkeys"
import type { Reply } from "#testing/Api"
import { Authenticator, type AuthenticatorOptions, type Ceremony } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { service } from "./sallyport.ts"

/** The origin of the app that `realmWithApp` creates. */
export const ORIGIN = "https://app.example.test"

/** A realm with a connected app, since a passkey requires a page. */
export const realmWithApp = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> => {
  const realm = await (await service()).given.realm(settings)
  await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
  return realm
}

const orThrow = (reply: Reply): unknown => {
  if (reply.status === 200) return reply.body
  throw new Error(`No passkey options: ${reply.status} ${reply.text}`)
}

/** The options in a response, with their token. */
export const creationOptionsIn = (reply: Reply) => Schema.decodeUnknownSync(CreationOptionsBody)(orThrow(reply))
export const loginOptionsIn = (reply: Reply) => Schema.decodeUnknownSync(RequestOptionsBody)(orThrow(reply))

/** The options for a user's new passkey, with their token. */
export const creationOptions = async (realm: GivenRealm, userId: string, version = "v2", origin = ORIGIN) => {
  return creationOptionsIn(await realm.post(`/${version}/users/${userId}/passkey_options`, { user: { origin } }))
}

/** The options for a login, with their token. */
export const loginOptions = async (realm: GivenRealm, version = "v2", origin = ORIGIN) => {
  return loginOptionsIn(await realm.post(`/${version}/users/passkey_options`, { user: { origin } }))
}

/** Submits the response of an authenticator that created a passkey. */
export const register = (
  realm: GivenRealm,
  userId: string,
  token: string,
  response: unknown,
  { version = "v2", name = undefined as string | undefined } = {}
) =>
  realm.post(`/${version}/credentials`, {
    credential: {
      credential_type: "passkey",
      user_id: userId,
      token,
      response,
      ...(name === undefined ? {} : { name })
    }
  })

/** A user's authenticator with a registered passkey. */
export interface Enrolled {
  readonly authenticator: Authenticator
  /** The id of the credential. */
  readonly id: string
}

/** Registers a passkey of a new or given authenticator. */
export const enrolPasskey = async (
  realm: GivenRealm,
  userId: string,
  how: AuthenticatorOptions & { readonly authenticator?: Authenticator; readonly origin?: string } = {}
): Promise<Enrolled> => {
  const { authenticator = new Authenticator(how), origin = ORIGIN } = how
  const { token, options } = await creationOptions(realm, userId, "v2", origin)
  const made = await register(realm, userId, token, authenticator.create(options, { origin }))
  if (made.status !== 201) throw new Error(`The passkey was not registered: ${made.status} ${made.text}`)
  return { authenticator, id: made.id }
}

/** Submits the response of an authenticator that used a passkey. */
export const answer = (realm: GivenRealm, token: string, response: unknown, version = "v2") =>
  realm.post(`/${version}/users/authenticate_passkey`, { user: { token, response } })

/** A new user with a passkey, and its authenticator's response to a challenge on a connected app's page. */
export const readyPasskey = async (realm: GivenRealm, origin = ORIGIN) => {
  await realm.connectedApp({ login_handler: `${origin}/login` })
  const { id } = await realm.user()
  const { authenticator } = await enrolPasskey(realm, id, { origin })
  const { token, options } = await loginOptions(realm, "v2", origin)
  return { id, attributes: { token, response: authenticator.get(options, { origin }) } }
}

/** Logs in with the passkey of an authenticator. */
export const passkeyLogin = async (
  realm: GivenRealm,
  authenticator: Authenticator,
  ceremony: Partial<Ceremony> = {},
  version = "v2"
): Promise<Reply> => {
  const { token, options } = await loginOptions(realm, version)
  return answer(realm, token, authenticator.get(options, { origin: ORIGIN, ...ceremony }), version)
}
