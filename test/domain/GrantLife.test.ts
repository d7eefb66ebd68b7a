import { expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { encodeId } from "#domain/Ids"
import { grantProblem } from "#domain/oauth/GrantValidity"

const now = DateTime.makeUnsafe(1_800_000_000_000)
const id = encodeId("app", { millis: 1, random: [0, 1] })
const other = encodeId("app", { millis: 1, random: [0, 2] })
const state = Schema.Literals(["active", "inactive"])

it.prop(
  "SEC-152: tokens work only while their grant, user, client, realm and session remain valid",
  {
    realm: state,
    client: state,
    user: state,
    isOwn: Schema.Boolean,
    hasEnded: Schema.Boolean,
    hasExpired: Schema.Boolean,
    hasSession: Schema.Boolean,
    sid: Schema.NullOr(Schema.Literal("kss_1")),
    isOffline: Schema.Boolean,
    mayBeOffline: Schema.Boolean
  },
  (given) => {
    const grant = {
      clientId: given.isOwn ? id : other,
      scopes: given.isOffline ? ["openid", "offline_access"] : ["openid"],
      resources: [],
      sid: given.sid,
      endedAt: given.hasEnded ? now : null,
      expiresAt: given.hasExpired ? now : DateTime.add(now, { seconds: 1 })
    }
    const problem = grantProblem(
      {
        realm: { state: given.realm },
        client: {
          id,
          state: given.client,
          allowedScopes: given.mayBeOffline ? ["openid", "offline_access"] : ["openid"],
          resources: []
        },
        user: { state: given.user },
        grant,
        hasSession: given.hasSession
      },
      now
    )
    const areActive = [given.realm, given.client, given.user].every((one) => one === "active")
    const isLive = given.isOwn && !given.hasEnded && !given.hasExpired
    const keepsSession = given.hasSession || (given.isOffline && given.mayBeOffline) || given.sid === null
    expect(problem === undefined).toBe(areActive && isLive && keepsSession)
  }
)
