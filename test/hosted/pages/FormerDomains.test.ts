import { expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import { met, said } from "../../support/pages.ts"
import { answered, askedOn, createsPasskey } from "../../support/passkeyPages.ts"
import { service } from "../../support/sallyport.ts"
import { atHome, claimsIn, Visitor } from "../../support/visitor.ts"

/** A user with a password and a passkey, in a realm whose passkeys have moved to another domain. */
const moved = async () => {
  const realm = await (await service()).given.realm()
  const at = await atHome(realm)
  const device = new Authenticator()
  await createsPasskey(at.visitor, device)
  const move = (passkey_rp_id: string | null) => realm.put(`/v2/realms/${realm.id}`, { realm: { passkey_rp_id } })
  await move("example.test")
  return { ...at, realm, device, move }
}

test("C129: a passkey of a former domain shows where it works and doesn't count as a login method", async () => {
  const { realm, visitor, move, host } = await moved()
  await visitor.open("/security")
  expect(said(visitor.page)).toContain(`Works only on ${host}`)
  // Without passwords, only the passkey of the former domain would be left.
  await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
  await visitor.open("/security")
  expect(await realm.seen.caused(() => visitor.fill({}, "Remove passkey"))).toHaveLength(1)
  await move(null)
})

test("C129: the last passkey of the new domain cannot be removed even with one of a former domain", async () => {
  const { realm, visitor } = await moved()
  const current = new Authenticator()
  await createsPasskey(visitor, current, { passkey_name: "New" })
  await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
  await visitor.open("/security")
  const { result, events } = await realm.seen.during(() => visitor.fill({}, "Remove New"))
  expect([result.status, events]).toEqual([422, []])
  expect(said(result)).toContain("log in")
})

test("C129: a passkey of a former domain is not asked for as a second factor and doesn't prevent adding one", async () => {
  const { realm, email, origin, user, device, move } = await moved()
  await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
  const visitor = new Visitor(realm.transport, origin)
  await visitor.logIn(email)
  expect(met(visitor.page)).toEqual([200, "Set up two-step verification"])
  // On its own domain it counts again.
  await move(null)
  await visitor.logIn(email)
  expect(met(visitor.page)).toEqual([200, "Confirm it's you"])
  const answer = answered(device, askedOn(visitor), { origin })
  await visitor.send("/login", { ...visitor.form("Use a passkey").values, ...answer })
  expect(claimsIn(visitor.leads)).toMatchObject({ sub: user.id, acr: "aal2" })
})
