import { expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { encodeId, type Kind } from "#domain/Ids"
import { type Acceptance, decideAcceptance } from "#domain/Invitation"
import type { Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { PERMISSIONS_PER_MEMBERSHIP } from "#domain/Permission"

const id = <K extends Kind>(kind: K) => encodeId(kind, { millis: 1, random: [0, 0] })
const createdAt = DateTime.makeUnsafe(0)

const org: Org = {
  id: id("org"),
  realmId: id("realm"),
  state: "active",
  name: "Acme",
  reference: null,
  custom: {},
  createdAt
}

const memberWith = (permissions: ReadonlyArray<string>): Membership => ({
  id: id("membership"),
  realmId: id("realm"),
  userId: id("user"),
  orgId: org.id,
  permissions,
  custom: { kept: true },
  createdAt,
  expiresAt: DateTime.makeUnsafe(1)
})

/** Permissions as an invitation or membership has them: unique, and at most 20. */
const Tags = Schema.Array(Schema.Literals(Array.from({ length: 30 }, (_, n) => `tag-${n}`))).check(
  Schema.isUnique(),
  Schema.isMaxLength(PERMISSIONS_PER_MEMBERSHIP)
)

const options = { arbitrary: { size: PERMISSIONS_PER_MEMBERSHIP } }

const permissionsOf = (outcome: Acceptance) => (outcome._tag === "Gains" ? outcome.membership.permissions : undefined)

it.prop(
  "accepting an invitation without an org grants no permissions",
  [Tags, Tags],
  ([granted, had]) => {
    expect(decideAcceptance(granted, undefined, undefined)).toEqual({ _tag: "NoOrg" })
    expect(decideAcceptance(granted, undefined, memberWith(had))).toEqual({ _tag: "NoOrg" })
  },
  options
)

it.prop(
  "accepting an invitation creates a membership for a user without a membership",
  [Tags],
  ([granted]) => {
    expect(decideAcceptance(granted, org, undefined)).toEqual({ _tag: "Joins", org })
  },
  options
)

it.prop(
  "accepting an invitation only adds missing permissions to an existing membership",
  [Tags, Tags],
  ([granted, had]) => {
    const held = memberWith(had)
    const lacking = granted.filter((tag) => !had.includes(tag))
    const outcome = decideAcceptance(granted, org, held)
    const tooMany = had.length + lacking.length > PERMISSIONS_PER_MEMBERSHIP
    expect(outcome).toEqual(
      lacking.length === 0
        ? { _tag: "HasAll" }
        : tooMany
          ? { _tag: "Refused", problem: "too_many_permissions" }
          : { _tag: "Gains", membership: { ...held, permissions: [...had, ...lacking] } }
    )
  },
  options
)

it.prop(
  "accepting an invitation never removes permissions, and a second acceptance adds no permissions",
  [Tags, Tags],
  ([granted, had]) => {
    const merged = permissionsOf(decideAcceptance(granted, org, memberWith(had)))
    if (merged === undefined) return
    expect([...had, ...granted].filter((tag) => !merged.includes(tag))).toEqual([])
    expect(decideAcceptance(granted, org, memberWith(merged))).toEqual({ _tag: "HasAll" })
  },
  options
)
