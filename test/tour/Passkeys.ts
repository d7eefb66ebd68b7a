import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { creationOptionsIn, loginOptionsIn, ORIGIN, register } from "../support/passkeys.ts"
import { expectSuccess } from "./Fixtures.ts"
import type { OperationCoverage } from "./OperationCoverage.ts"

/** Registers a passkey of a user and logs in with it, under either version. */
export const passkeys = async (coverage: OperationCoverage, realm: GivenRealm, version: "v1" | "v2", id: string) => {
  await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
  const body = { user: { origin: ORIGIN } }
  const begun = await coverage.call(realm, `${version}.logins passkey_options`, 200, { ids: [id], body })
  const { token, options } = creationOptionsIn(begun)
  const authenticator = new Authenticator()
  const made = authenticator.create(options, { origin: ORIGIN })
  await expectSuccess(register(realm, id, token, made, { version }))
  const login = loginOptionsIn(await coverage.call(realm, `${version}.logins passkey_login_options`, 200, { body }))
  const response = authenticator.get(login.options, { origin: ORIGIN })
  const answer = { user: { token: login.token, response } }
  await coverage.call(realm, `${version}.logins authenticate_passkey`, 200, { body: answer })
}
