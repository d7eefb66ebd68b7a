import { expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { authenticatorResponse, createPasskey, passkeyOptionsOn } from "../../support/passkeyPages.ts"
import { service } from "../../support/sallyport.ts"
import { claimsIn, onProfilePage, Visitor } from "../../support/visitor.ts"

/** A user with a password and a passkey, in a realm whose passkeys have moved to another domain. */
const withMovedDomain = async () => {
  const realm = await (await service()).given.realm()
  const at = await onProfilePage(realm)
  const device = new Authenticator()
  await createPasskey(at.visitor, device)
  const move = (passkey_rp_id: string | null) => realm.put(`/v2/realms/${realm.id}`, { realm: { passkey_rp_id } })
  await move("example.test")
  return { ...at, realm, device, move }
}

test("C129: a passkey of a former domain doesn't count as a login method", async () => {
  const { realm, visitor, move, host } = await withMovedDomain()
  await visitor.open("/security")
  expect(visibleText(visitor.page)).toContain(`Works only on ${host}`)
  // With passwords turned off, only the passkey of the former domain would be left.
  await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
  await visitor.open("/security")
  expect(await realm.seen.caused(() => visitor.fill({}, "Remove passkey"))).toHaveLength(1)
  await move(null)
})

test("C129: the last passkey of the new domain cannot be removed, even if a passkey of a former domain remains", async () => {
  const { realm, visitor } = await withMovedDomain()
  const current = new Authenticator()
  await createPasskey(visitor, current, { passkey_name: "New" })
  await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
  await visitor.open("/security")
  const { result, events } = await realm.seen.during(() => visitor.fill({}, "Remove New"))
  expect([result.status, events]).toEqual([422, []])
  expect(visibleText(result)).toContain("log in")
})

test("C129: a passkey of a former domain doesn't count as a second factor", async () => {
  const { realm, email, origin, user, device, move } = await withMovedDomain()
  await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
  const visitor = new Visitor(realm.transport, origin)
  await visitor.logIn(email)
  expect(statusAndHeading(visitor.page)).toEqual([200, "Set up two-step verification"])
  // The passkey counts again once the realm returns to its domain.
  await move(null)
  await visitor.logIn(email)
  expect(statusAndHeading(visitor.page)).toEqual([200, "Confirm it's you"])
  const answer = authenticatorResponse(device, passkeyOptionsOn(visitor), { origin })
  await visitor.send("/login", { ...visitor.form("Use a passkey").values, ...answer })
  expect(claimsIn(visitor.leads)).toMatchObject({ sub: user.id, acr: "aal2" })
})
