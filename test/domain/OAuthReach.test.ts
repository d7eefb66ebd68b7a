import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { narrowScopes, parseScopes } from "#domain/clients/OAuthScope"
import { audienceOf } from "#domain/oauth/OAuthAudience"

const scope = Arbitrary.schema(Schema.Literals(["openid", "profile", "email", "orders:read", "orders:write"]))
const scopes = Arbitrary.array(scope, { maxLength: 6 })
const issuer = "https://id.example/realms/rl_1"
const resource = Arbitrary.schema(
  Schema.Literals(["https://a.example", "https://b.example", "https://c.example", issuer])
)
const resources = Arbitrary.array(resource, { maxLength: 5 })

describe("the scopes of a token (RFC 6749 §6)", () => {
  it.prop("never exceed the granted scopes", [scopes, scopes], ([granted, requested]) => {
    const narrowed = narrowScopes(granted, requested)
    for (const one of narrowed ?? []) expect(granted).toContain(one)
    expect(narrowed === undefined).toBe(requested.some((one) => !granted.includes(one)))
  })

  it.prop("are all granted scopes if the request names no scopes", [scopes], ([granted]) => {
    expect(narrowScopes(granted, undefined)).toEqual(granted)
    expect(narrowScopes(granted, [])).toEqual(granted)
  })

  it.prop("stay the same when the same narrowing is repeated", [scopes, scopes], ([granted, requested]) => {
    const once = narrowScopes(granted, requested)
    if (once !== undefined) expect(narrowScopes(once, once)).toEqual(once)
  })

  it.each(['open"id', "a\\b", "é", "tab\there"])("can't contain %s", (text) => {
    expect(parseScopes(text)).toBeUndefined()
  })
})

describe("SEC-154: the audience of a token (RFC 8707)", () => {
  it.prop("contains only allowed resources and the realm itself", [resources, resources], ([allowed, requested]) => {
    const audience = audienceOf({ issuer, allowed, requested })
    for (const one of audience ?? []) expect([...allowed, issuer]).toContain(one)
    expect(audience === undefined).toBe(requested.some((one) => one !== issuer && !allowed.includes(one)))
  })

  it.prop(
    "is the requested resources, or all allowed resources, or the realm",
    [resources, resources],
    ([allowed, requested]) => {
      const audience = audienceOf({ issuer, allowed, requested })
      if (audience === undefined) return
      const expected = requested.length > 0 ? requested : allowed.length > 0 ? allowed : [issuer]
      expect(audience).toEqual([...new Set(expected)])
    }
  )
})
