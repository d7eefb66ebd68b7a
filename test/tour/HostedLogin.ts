import { type HostedOperationName, hostedOperations } from "#api/hosted/V1"
import { exchange } from "#testing/Exchange"
import { type Given, type GivenRealm, unique } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { type Peer, peerSettings } from "./ExternalStub.ts"
import { codeOf, had, NEXT_PASSWORD, newDevice } from "./Fixtures.ts"
import type { AppHost, Walk } from "./OperationCoverage.ts"

type Input = Readonly<Record<string, string>>

/** A token for a login on the app's host. */
const tokenOf = async ({ url, host }: AppHost, username: string): Promise<string> => {
  const body = JSON.stringify({ username, password: PASSWORD })
  const headers = { host, "content-type": "application/json" }
  const { text } = await exchange(url + hostedOperations.login.path, { method: "POST", headers, body })
  return String(Reflect.get(Object(JSON.parse(text)), "token"))
}

/** Somebody who has a password. */
const somebody = async (realm: GivenRealm) => {
  const username = unique("guest")
  const { id } = await realm.user({ username, email: `${username}@example.test`, password: PASSWORD })
  return { id, username }
}

/** What each operation is sent, with secrets of a user of its own. */
const inputs: Readonly<Record<HostedOperationName, (realm: GivenRealm, at: AppHost) => Promise<Input>>> = {
  login: async (realm) => ({ username: (await somebody(realm)).username, password: PASSWORD }),
  verifyLogin: async (realm, at) => {
    const { id, username } = await somebody(realm)
    const device = await newDevice(realm, id)
    await had(realm.post(`/v2/credentials/${device.id}/verify`, { credential: { code: codeOf(device) } }))
    return { username, token: await tokenOf(at, username), code: codeOf(device, 1) }
  },
  logout: async (realm, at) => ({ token: await tokenOf(at, (await somebody(realm)).username) }),
  checkSession: async (realm, at) => ({ token: await tokenOf(at, (await somebody(realm)).username) }),
  forgotPassword: async (realm) => ({ username: (await somebody(realm)).username }),
  resetPassword: async (realm) => {
    const { id, username } = await somebody(realm)
    const made = await had(realm.post(`/v1/users/${id}/generate_password_token`, {}))
    return { username, token: made.string("password_reset_token"), password: NEXT_PASSWORD }
  },
  updatePassword: async (realm, at) => {
    const token = await tokenOf(at, (await somebody(realm)).username)
    return { token, current_password: PASSWORD, password: NEXT_PASSWORD, password_confirmation: NEXT_PASSWORD }
  },
  signup: async () => {
    const username = unique("newcomer")
    return { username, email: `${username}@example.test`, password: PASSWORD }
  },
  resendEmailToken: async (realm) => ({ username: (await somebody(realm)).username })
}

const names = Object.keys(hostedOperations).filter((name): name is HostedOperationName =>
  Object.hasOwn(hostedOperations, name)
)

/** Hosted login on the host of an app, each operation by POST and by GET, in the order of the contract (`v1.hosted`). */
export const hostedLogin = async (walk: Walk, given: Given, peer: Peer): Promise<void> => {
  const realm = await given.realm({ limits: { hosted: 1_000, hosted_sustained: 1_000 } })
  const at = { url: realm.url, host: (await realm.connectedApp()).string("domains", 0) }
  for (const name of names) {
    const { path } = hostedOperations[name]
    for (const method of ["POST", "GET"] as const) {
      await walk.visitHosted(at, method, path, 200, { input: await inputs[name](realm, at) })
    }
  }
  const provider = await had(realm.post("/v2/auth_providers", { auth_provider: peerSettings(peer) }))
  await walk.visitHosted(at, "GET", "/auth/{provider}", 302, { to: `/auth/${provider.id}` })
  await given.root.delete(`/v2/realms/${realm.id}`)
}
