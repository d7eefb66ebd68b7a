import { type HostedOperationName, hostedOperations } from "#api/hosted/V1"
import { type Given, type GivenRealm, uniqueText } from "#testing/Given"
import { overHttp } from "#testing/Transport"
import { PASSWORD } from "../support/logins.ts"
import { authenticatorResponse, passkeyOptionsIn } from "../support/passkeyPages.ts"
import { enrolPasskey } from "../support/passkeys.ts"
import { type ExternalStub, providerSettings } from "./ExternalStub.ts"
import { expectSuccess, NEXT_PASSWORD, newTotpDevice, totpCode } from "./Fixtures.ts"
import type { AppHost, OperationCoverage } from "./OperationCoverage.ts"

type Input = Readonly<Record<string, string>>

/** Logs in on the host of the app and returns the token. */
const loginToken = async ({ url, host }: AppHost, username: string): Promise<string> => {
  const body = JSON.stringify({ username, password: PASSWORD })
  const headers = { host, "content-type": "application/json" }
  const { text } = await overHttp(url).send({ method: "POST", path: hostedOperations.login.path, headers, body })
  return String(Reflect.get(Object(JSON.parse(text)), "token"))
}

/** Creates a user with a password. */
const newUser = async (realm: GivenRealm) => {
  const username = uniqueText("guest")
  const { id } = await realm.user({ username, email: `${username}@example.test`, password: PASSWORD })
  return { id, username }
}

/** The input of each operation, made with a new user. */
const inputs: Readonly<Record<HostedOperationName, (realm: GivenRealm, at: AppHost) => Promise<Input>>> = {
  login: async (realm) => ({ username: (await newUser(realm)).username, password: PASSWORD }),
  verifyLogin: async (realm, at) => {
    const { id, username } = await newUser(realm)
    const device = await newTotpDevice(realm, id)
    await expectSuccess(realm.post(`/v2/credentials/${device.id}/verify`, { credential: { code: totpCode(device) } }))
    return { username, token: await loginToken(at, username), code: totpCode(device, 1) }
  },
  sendCode: async (realm) => {
    await expectSuccess(realm.put("/v2/auth_providers/email_code", { auth_provider: { state: "active" } }))
    return { username: (await newUser(realm)).username }
  },
  passkeyOptions: async () => ({}),
  passkeyLogin: async (realm, at) => {
    const { id } = await newUser(realm)
    const origin = `https://${at.host}`
    const { authenticator } = await enrolPasskey(realm, id, { origin })
    const asked = await overHttp(at.url).send({
      method: "POST",
      path: hostedOperations.passkeyOptions.path,
      headers: { host: at.host },
      body: ""
    })
    return authenticatorResponse(authenticator, passkeyOptionsIn(asked.text), { origin })
  },
  logout: async (realm, at) => ({ token: await loginToken(at, (await newUser(realm)).username) }),
  checkSession: async (realm, at) => ({ token: await loginToken(at, (await newUser(realm)).username) }),
  forgotPassword: async (realm) => ({ username: (await newUser(realm)).username }),
  resetPassword: async (realm) => {
    const { id, username } = await newUser(realm)
    const made = await expectSuccess(realm.post(`/v1/users/${id}/generate_password_token`, {}))
    return { username, token: made.string("password_reset_token"), password: NEXT_PASSWORD }
  },
  updatePassword: async (realm, at) => {
    const token = await loginToken(at, (await newUser(realm)).username)
    return { token, current_password: PASSWORD, password: NEXT_PASSWORD, password_confirmation: NEXT_PASSWORD }
  },
  signup: async () => {
    const username = uniqueText("newcomer")
    return { username, email: `${username}@example.test`, password: PASSWORD }
  },
  resendEmailToken: async (realm) => ({ username: (await newUser(realm)).username })
}

const names = Object.keys(hostedOperations).filter((name): name is HostedOperationName =>
  Object.hasOwn(hostedOperations, name)
)

/** Calls each operation of hosted login by POST and by GET, in the order of `v1.hosted`. */
export const hostedLogin = async (coverage: OperationCoverage, given: Given, stub: ExternalStub): Promise<void> => {
  const realm = await given.realm({ limits: { hosted: 1_000, hosted_sustained: 1_000 } })
  const at = { url: realm.url, host: (await realm.connectedApp()).string("domains", 0) }
  for (const name of names) {
    const { path } = hostedOperations[name]
    for (const method of ["POST", "GET"] as const) {
      await coverage.callHosted(at, method, path, 200, { input: await inputs[name](realm, at) })
    }
  }
  const provider = await expectSuccess(realm.post("/v2/auth_providers", { auth_provider: providerSettings(stub) }))
  await coverage.callHosted(at, "GET", "/auth/{provider}", 302, { to: `/auth/${provider.id}` })
  await given.root.delete(`/v2/realms/${realm.id}`)
}
