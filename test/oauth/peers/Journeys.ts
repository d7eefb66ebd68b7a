import { generateKeyPair } from "oauth4webapi"
import { expect } from "vitest"
import type { Party, PartySettings, PartyTokens } from "./Party.ts"
import type { Person } from "./Person.ts"

/** A relying party, the person who logs in and the URI to return to after the logout. */
export interface Journey {
  readonly party: Party
  readonly person: Person
  readonly settings: PartySettings
  readonly postLogoutRedirectUri: string
  /** Whether the client may introspect tokens. Public clients may not. */
  readonly introspects?: boolean
  /** How the authorization request is sent. */
  readonly how?: { readonly par?: boolean }
  readonly parameters?: Readonly<Record<string, string>>
}

/** A DPoP key for a relying party. */
export const dpopKey = () => generateKeyPair("ES256")

/** Logs in through the pages and redeems the code. */
export const logIn = async ({ party, person, how = {}, parameters = {} }: Journey): Promise<PartyTokens> => {
  const scope = "openid profile email offline_access"
  const request = await party.begin({ scope, ...parameters }, how)
  return party.finish(request, await person.walk(request.url))
}

/** Runs login, user info, refresh, introspection, revocation and logout. Returns the user info. */
export const runWholeFlow = async (journey: Journey): Promise<Readonly<Record<string, unknown>>> => {
  const { party, person, settings, postLogoutRedirectUri, introspects = true } = journey
  const type = settings.dpop === undefined ? "bearer" : "dpop"
  const first = await logIn(journey)
  expect(first.type.toLowerCase()).toBe(type)
  const told = await party.userinfo(first)
  expect(told["sub"]).toBe(first.sub)

  const second = await party.refresh(first)
  expect([second.type.toLowerCase(), second.refresh === first.refresh]).toEqual([type, false])
  expect((await party.userinfo({ ...second, sub: first.sub }))["sub"]).toBe(first.sub)

  if (introspects) {
    expect(await party.introspect(second.access)).toMatchObject({
      active: true,
      sub: first.sub,
      scope: expect.any(String)
    })
    await party.revoke(second.refresh ?? "")
    expect(await party.introspect(second.refresh ?? "")).toEqual({ active: false })
    expect(await party.introspect(second.access)).toEqual({ active: false })
  } else await party.revoke(second.refresh ?? "")
  await expect(party.refresh(second)).rejects.toMatchObject({ error: "invalid_grant" })

  const id_token_hint = second.idToken ?? first.idToken ?? ""
  const parameters = { id_token_hint, post_logout_redirect_uri: postLogoutRedirectUri, state: "bye" }
  const left = await person.walk(party.endSession(parameters))
  expect(left.url.href).toBe(`${postLogoutRedirectUri}?state=bye`)
  const silent = await party.begin({ prompt: "none" }, journey.how)
  expect((await person.walk(silent.url)).url.searchParams.get("error")).toBe("login_required")
  return told
}
