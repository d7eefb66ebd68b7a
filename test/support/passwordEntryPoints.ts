import { createHash } from "node:crypto"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { PASSWORD } from "./logins.ts"
import { hashCountAt } from "./sallyport.ts"

/** The user whose password is set. */
export interface Person {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

/** An entry point prepared for one user. It can be tried until a password is accepted. */
export interface OpenEntryPoint {
  /** The user's id, if the operation affects an existing user. */
  readonly userId: string
  readonly set: (password: unknown) => Promise<Reply>
}

/** An operation that sets a password. */
export interface EntryPoint {
  readonly name: string
  readonly open: (realm: GivenRealm, person: Person) => Promise<OpenEntryPoint>
}

/** A precomputed hash, by default of `PASSWORD`, which takes no time to create or check. */
export const quickHash = (password: string = PASSWORD): string => {
  const salt = Buffer.from("12345678")
  const digest = createHash("sha1").update(password).update(salt).digest()
  return `{SSHA}${Buffer.concat([digest, salt]).toString("base64")}`
}

/** Creates a user with the password `PASSWORD` without computing a hash. */
export const quickUser = (realm: GivenRealm, attributes: object = {}): Promise<Reply> =>
  realm.user({ credentials: [{ credential_type: "password", password_hash: quickHash() }], ...attributes })

/** The id of a user's first credential. */
export const firstCredential = async (realm: GivenRealm, userId: string): Promise<string> =>
  (await realm.get(`/v2/users/${userId}`)).string("credentials", 0, "id")

/** An entry point that creates a user. */
const maker = (
  name: string,
  make: (realm: GivenRealm, person: Person, password: unknown) => Promise<Reply>
): EntryPoint => ({
  name,
  open: async (realm, person) => ({ userId: "", set: (password) => make(realm, person, password) })
})

const human = { user_type: "human" }
const element = (password: unknown) => ({ credentials: [{ credential_type: "password", password }] })

export const makers: ReadonlyArray<EntryPoint> = [
  maker("POST /v1/users", (realm, person, password) =>
    realm.post("/v1/users", { user: { ...human, ...person, password } })
  ),
  maker("POST /v2/users", (realm, person, password) => realm.post("/v2/users", { user: { ...person, password } })),
  maker("POST /v1/users with credentials", (realm, person, password) =>
    realm.post("/v1/users", { user: { ...human, ...person, ...element(password) } })
  ),
  maker("POST /v2/users with credentials", (realm, person, password) =>
    realm.post("/v2/users", { user: { ...person, ...element(password) } })
  ),
  maker("POST /v2/orgs with a user", (realm, person, password) =>
    realm.post("/v2/orgs", { org: { name: "Acme" }, user: { ...person, password } })
  ),
  maker("POST /v1/user_tokens", (realm, person, password) =>
    realm.post("/v1/user_tokens", { user_token: { ...person, password } })
  )
]

/** An entry point that gives a password to a user without one. */
const giver = (version: string): EntryPoint => ({
  name: `POST /${version}/credentials`,
  open: async (realm, person) => {
    const { id: user_id } = await realm.user({ ...person })
    const credential = (password: unknown) => ({ user_id, credential_type: "password", password })
    return {
      userId: user_id,
      set: (password) => realm.post(`/${version}/credentials`, { credential: credential(password) })
    }
  }
})

export const setters: ReadonlyArray<EntryPoint> = ["v1", "v2"].map(giver)

/** An entry point that changes a user's password. Preparing it may require something from that user. */
const changer = (
  name: string,
  change: (realm: GivenRealm, userId: string, password: unknown, needed: string) => Promise<Reply>,
  need: (realm: GivenRealm, userId: string) => Promise<string> = async () => ""
): EntryPoint => ({
  name,
  open: async (realm, person) => {
    const { id } = await quickUser(realm, person)
    const needed = await need(realm, id)
    return { userId: id, set: (password) => change(realm, id, password, needed) }
  }
})

export const changers: ReadonlyArray<EntryPoint> = [
  ...["v1", "v2"].flatMap((version) => [
    changer(`PUT /${version}/users/{id}`, (realm, id, password) =>
      realm.put(`/${version}/users/${id}`, { user: { password } })
    ),
    changer(`PUT /${version}/users/{id}/update_password`, (realm, id, password) =>
      realm.put(`/${version}/users/${id}/update_password`, {
        user: { current_password: PASSWORD, password, password_confirmation: password }
      })
    ),
    changer(
      `PUT /${version}/credentials/{id}`,
      (realm, _id, password, credential) =>
        realm.put(`/${version}/credentials/${credential}`, { credential: { password } }),
      firstCredential
    )
  ]),
  changer("PUT /v2/users/{id}/profile", (realm, id, password) =>
    realm.put(`/v2/users/${id}/profile`, { user: { password } })
  ),
  changer(
    "POST /v1/users/{id}/reset_password_with_token",
    (realm, id, password, token) =>
      realm.post(`/v1/users/${id}/reset_password_with_token`, { user: { token, password } }),
    async (realm, id) =>
      (await realm.post(`/v1/users/${id}/generate_password_token`, {})).string("password_reset_token")
  ),
  changer(
    "POST /v2/users/reset_password_with_token",
    (realm, _id, password, token) => realm.post("/v2/users/reset_password_with_token", { user: { token, password } }),
    async (realm, id) => (await realm.post(`/v2/users/${id}/generate_password_token`, {})).string("token")
  )
]

/** Every operation that sets a password. */
export const entryPoints: ReadonlyArray<EntryPoint> = [...makers, ...setters, ...changers]

/**
 * The number of password hashes that a service has computed. For a service in this process, the count is read directly,
 * which takes no time. For any other service, it is read from the metrics.
 */
export const hashesComputed = async (api: Api): Promise<number> =>
  hashCountAt(api.transport.url) ?? Number(/^password_hashes_total (\d+)/m.exec((await api.get("/metrics")).text)?.[1])
