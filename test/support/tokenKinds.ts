import { Api, type Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { authenticate, authenticateV1, complete, type Device, enrolled, PASSWORD } from "./logins.ts"
import {
  accept,
  emailToken,
  latestEventToken,
  passwordToken,
  passwordTokenV1,
  reset,
  resetV1,
  verifyEmail
} from "./tokens.ts"

/** A user with a password and a second factor, who can have a token of any kind. */
export interface Holder {
  readonly user: Reply
  readonly device: Device
}

/** Creates a holder at a time in Unix milliseconds. */
export const newHolder = async (realm: GivenRealm, at = STARTS_AT): Promise<Holder> => {
  const user = await realm.user({ password: PASSWORD })
  return { user, device: await enrolled(realm, user.id, at) }
}

/** Completes a login with a code under v1. */
export const completeV1 = (realm: GivenRealm, user: string, token: unknown, code: unknown) =>
  realm.post(`/v1/users/${user}/authenticate_code`, { user: { token, code } })

/** Signs up a user with a signup token and new names. */
export const signUp = (realm: GivenRealm, token: unknown) => {
  const username = uniqueText("newcomer")
  return realm.post("/v1/users", {
    user: { user_type: "human", username, email: `${username}@example.test`, credentials: [], token }
  })
}

/** A kind of token: its lifetime, how to get one, and what it can do. */
export interface TokenKind {
  readonly minutes: number
  readonly make: (realm: GivenRealm, holder: Holder) => Promise<string>
  /** Uses a token for its purpose, with codes for the given time. */
  readonly use: (realm: GivenRealm, token: string, holder: Holder, at?: number) => Promise<Reply>
}

/** The single-use tokens, by their prefixes. */
export const tokenKinds: Readonly<Record<string, TokenKind>> = {
  kli_: {
    minutes: 10,
    make: async (realm, { user }) => (await authenticateV1(realm, user.id)).string("token"),
    use: (realm, token, { user, device }, at) => completeV1(realm, user.id, token, device.code(0, at))
  },
  "tmf:": {
    minutes: 10,
    make: async (realm, { user }) => (await authenticate(realm, user.id)).string("token"),
    use: (realm, token, { device }, at) => complete(realm, token, device.code(0, at))
  },
  kpw_: {
    minutes: 60,
    make: (realm, { user }) => passwordTokenV1(realm, user.id),
    use: (realm, token) => resetV1(realm, token)
  },
  "tpw:": {
    minutes: 60,
    make: (realm, { user }) => passwordToken(realm, user.id),
    use: (realm, token) => reset(realm, token)
  },
  "tve:": {
    minutes: 24 * 60,
    make: (realm, { user }) => emailToken(realm, user.id),
    use: (realm, token) => verifyEmail(realm, token)
  },
  "tue:": {
    minutes: 24 * 60,
    make: async (realm, { user }) => {
      await realm.put(`/v2/users/${user.id}`, { user: { email_pending: `${uniqueText("next")}@example.test` } })
      return String(await latestEventToken(realm, "user.email.updating"))
    },
    use: (realm, token) => verifyEmail(realm, token)
  },
  nvt_: {
    minutes: 30 * 24 * 60,
    make: async (realm) => (await realm.invitation()).string("token"),
    use: (realm, token, { user }) => accept(realm, user.id, token)
  },
  utk_: {
    minutes: 24 * 60,
    make: async (realm) => {
      const username = uniqueText("signup")
      const user_token = { username, email: `${username}@example.test`, password: PASSWORD }
      return (await realm.post("/v1/user_tokens", { user_token })).id
    },
    use: signUp
  }
}

/** An entry point that accepts a token or something similar. */
export interface EntryPoint {
  readonly name: string
  /** The kinds of tokens that it accepts. */
  readonly takes: ReadonlyArray<string>
  /** The kinds of tokens that it accepts if the request names a user other than the token's. Empty if the path names the user. */
  readonly takesOfOthers: ReadonlyArray<string>
  /** Presents a token and a code, with a named user if the entry point can name one. */
  readonly open: (realm: GivenRealm, token: string, named: Holder, code: string) => Promise<Reply>
}

const entryPoint = (name: string, takes: ReadonlyArray<string>, open: EntryPoint["open"]): EntryPoint => ({
  name,
  takes,
  takesOfOthers: takes,
  open
})

const entryPointAtUser = (name: string, takes: ReadonlyArray<string>, open: EntryPoint["open"]): EntryPoint => ({
  ...entryPoint(name, takes, open),
  takesOfOthers: []
})

const asWithUser =
  (operation: string) =>
  (realm: GivenRealm, token: string, { user }: Holder, code: string) =>
    realm.post(`/v1/users/${user.id}/${operation}`, { user: { token, code, password: "nine purple hippos" } })

const atAnyUser = (operation: string) => (realm: GivenRealm, token: string, _: Holder, code: string) =>
  realm.post(`/v1/users/--/${operation}`, { user: { token, code, password: "nine purple hippos" } })

const proofs = ["tve:", "tue:"]

/** Every entry point of the service that accepts a token. */
export const entryPoints: ReadonlyArray<EntryPoint> = [
  entryPointAtUser("v1 authenticate_code", ["kli_"], asWithUser("authenticate_code")),
  entryPoint("v1 authenticate_code --", [], atAnyUser("authenticate_code")),
  entryPoint("v2 authenticate_token", ["tmf:"], (realm, token, _, code) => complete(realm, token, code)),
  entryPointAtUser("v1 reset_password_with_token", ["kpw_"], asWithUser("reset_password_with_token")),
  entryPoint("v1 reset_password_with_token --", ["kpw_"], atAnyUser("reset_password_with_token")),
  entryPoint("v2 reset_password_with_token", ["tpw:"], (realm, token) => reset(realm, token, "nine purple hippos")),
  entryPointAtUser("v1 verify_email", proofs, asWithUser("verify_email")),
  entryPoint("v1 verify_email --", proofs, atAnyUser("verify_email")),
  entryPoint("v2 verify_email", proofs, (realm, token) => verifyEmail(realm, token)),
  entryPoint("v2 accept_invitation", ["nvt_"], (realm, token, { user }) => accept(realm, user.id, token)),
  entryPoint("v1 user_tokens get", ["utk_"], (realm, token) => realm.get(`/v1/user_tokens/${token}`)),
  entryPoint("v1 users create", ["utk_"], signUp),
  entryPoint("v1 authenticate_key", [], (realm, api_key) => realm.post("/v1/users/authenticate_key", { api_key })),
  entryPoint("v2 sessions get", [], (realm, token) => realm.get(`/v2/sessions/${token}`)),
  entryPoint("API key", ["sk_"], (realm, token) => new Api(realm.transport, token, realm.id).get("/v2/users"))
]
