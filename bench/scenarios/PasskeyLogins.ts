import { Api } from "#testing/Api"
import { Authenticator, type Ceremony } from "#testing/Authenticator"
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "#testing/WebAuthnJson"
import { type Server, start, threadSeconds, timeToFirstResponse } from "../../test/harness/Servers.ts"
import type { ResultTable } from "../report/ResultTable.ts"
import type { Context } from "./Scenario.ts"

const ORIGIN = "https://app.bench.test"
const algorithms = ["ES256", "EdDSA", "RS256"] as const

/** The service's passkey options. This scenario passes them to the authenticator, as a page would. */
interface Begun<Options> {
  readonly token: string
  readonly options: Options
}

const cpu = (server: Server) => {
  const { main, other, hashing } = threadSeconds(server)
  return main + other + hashing
}

/** Measures the cost of one algorithm: of a complete login, which takes two calls, and of the first call alone. */
const measure = async (
  server: Server,
  realm: Api,
  algorithm: (typeof algorithms)[number],
  { warmUp, logins }: { readonly warmUp: number; readonly logins: number }
) => {
  const begin = async <Options>(path: string): Promise<Begun<Options>> =>
    JSON.parse((await realm.post(path, { user: { origin: ORIGIN } })).text)
  const page: Ceremony = { origin: ORIGIN, backupEligible: true }
  const user = await realm.post("/v2/users", { user: { email: `${algorithm}@bench.test`, credentials: [] } })
  const authenticator = new Authenticator({ algorithm })
  const creation = await begin<PasskeyCreationOptions>(`/v2/users/${user.id}/passkey_options`)
  const credential = {
    credential_type: "passkey",
    user_id: user.id,
    token: creation.token,
    response: authenticator.create(creation.options, page)
  }
  await realm.post("/v2/credentials", { credential })

  let wrong = 0
  let firstWrong: string | undefined
  const login = async () => {
    const { token, options } = await begin<PasskeyRequestOptions>("/v2/users/passkey_options")
    const response = authenticator.get(options, page)
    const { status, text } = await realm.post("/v2/users/authenticate_passkey", { user: { token, response } })
    if (status === 200) return
    wrong++
    firstWrong ??= `${status} ${text.slice(0, 300)}`
  }
  const millisOf = async (each: () => Promise<unknown>) => {
    for (let n = 0; n < warmUp; n++) await each()
    const before = cpu(server)
    for (let n = 0; n < logins; n++) await each()
    return ((cpu(server) - before) * 1_000) / logins
  }
  const whole = await millisOf(login)
  const options = await millisOf(() => begin("/v2/users/passkey_options"))
  return { algorithm, whole, options, wrong, firstWrong }
}

/** Measures the CPU time of sequential passkey logins. */
export const measurePasskeyLogins = async ({ service, rootKey, quick }: Context): Promise<ResultTable> => {
  const server = await start(service)
  try {
    await timeToFirstResponse(server, "/healthz")
    const address = `http://127.0.0.1:${server.port}`
    const root = new Api(address, rootKey)
    const { id } = await root.post("/v2/realms", { realm: { name: "Passkeys", jwt_algo: "hs256" } })
    const realm = new Api(address, rootKey, id)
    await realm.post("/v2/client_apps", { client_app: { name: "App", login_handler: `${ORIGIN}/login` } })
    const pace = quick ? { warmUp: 100, logins: 200 } : { warmUp: 1_000, logins: 2_000 }
    const found = []
    for (const algorithm of algorithms) found.push(await measure(server, realm, algorithm, pace))
    return {
      title: "sequential passkey logins, CPU of the service, ms",
      rows: found.map(({ algorithm, whole, options }) => [
        `${algorithm}: both calls; only the call for the options`,
        `${whole.toFixed(2)}; ${options.toFixed(2)}`,
        ""
      ]),
      wrong: found.reduce((sum, { wrong }) => sum + wrong, 0),
      firstWrong: found.find(({ firstWrong }) => firstWrong !== undefined)?.firstWrong
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
