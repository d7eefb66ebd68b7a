import { describe, expect, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import {
  type AccessMethods,
  type AccountState,
  accessMethods,
  decideMailboxProof,
  type MailboxProof,
  mailboxProofs,
  type Possession,
  possessionOptions
} from "#domain/MailboxProof"
import { elementOf } from "../support/arbitraries.ts"

const nothing: AccessMethods = {
  password: false,
  profiles: false,
  passkeys: false,
  secondFactor: false,
  sessions: false,
  emailPending: false
}

const everyWay: ReadonlyArray<AccessMethods> = accessMethods.reduce<ReadonlyArray<AccessMethods>>(
  (all, way) => all.flatMap((one) => [one, { ...one, [way]: true }]),
  [nothing]
)

const everyAccountState: ReadonlyArray<AccountState> = [true, false].flatMap((wasVerified) =>
  (["session", "password", "none"] as const).flatMap((possession) =>
    everyWay.map((found) => ({ wasVerified, possession, accessMethods: found }))
  )
)

const decisionFor = (proof: MailboxProof, state: Partial<AccountState>) =>
  decideMailboxProof(proof, { wasVerified: false, possession: "none", accessMethods: nothing, ...state })._tag

describe("the effect of a mailbox proof (C49, SEC-85)", () => {
  it("is defined for all 1,920 account states", () => {
    const tags = mailboxProofs.flatMap((proof) => everyAccountState.map((one) => decideMailboxProof(proof, one)._tag))
    expect([tags.length, new Set(tags)]).toEqual([1_920, new Set(["Verifies", "TakesOver", "AsksForPossession"])])
  })

  it.each([
    "mailed_reset",
    "mailed_code",
    "verified_provider"
  ] as const)("%s takes over exactly the accounts that were never verified", (proof) => {
    for (const one of everyAccountState)
      expect(decisionFor(proof, one)).toBe(one.wasVerified ? "Verifies" : "TakesOver")
  })

  it("an emailed confirmation verifies an account that was verified before, has the same owner or has no access", () => {
    for (const one of everyAccountState) {
      const free = accessMethods.every((way) => !one.accessMethods[way])
      const verifies = one.wasVerified || one.possession !== "none" || free
      expect(decisionFor("mailed_confirmation", one)).toBe(verifies ? "Verifies" : "AsksForPossession")
    }
  })

  it("an emailed change never verifies a new address by the link alone", () => {
    for (const one of everyAccountState) {
      const free = accessMethods.every((way) => way === "emailPending" || !one.accessMethods[way])
      const verifies = one.possession !== "none" || free
      expect(decisionFor("mailed_change", one)).toBe(verifies ? "Verifies" : "AsksForPossession")
    }
  })

  it("the password suffices only without a second factor, and a reset only for the current address", () => {
    for (const { accessMethods: found } of everyAccountState) {
      for (const passwordsOn of [true, false]) {
        expect(possessionOptions("mailed_confirmation", { accessMethods: found }, passwordsOn)).toEqual({
          password: passwordsOn && found.password && !found.secondFactor,
          reset: passwordsOn
        })
        expect(possessionOptions("mailed_change", { accessMethods: found }, passwordsOn).reset).toBe(false)
      }
    }
  })
})

/** The party that controls a means of access. */
type Party = "attacker" | "owner"

/** An account, with the party behind each means of access. */
interface Account {
  readonly wasVerified: boolean
  readonly password: Party | undefined
  readonly profiles: ReadonlyArray<Party>
  readonly totp: Party | undefined
  readonly sessions: ReadonlyArray<Party>
  readonly pending: Party | undefined
}

interface World {
  readonly account: Account | undefined
  /** Whether the owner has proved the mailbox. */
  readonly proved: boolean
}

const fresh: Account = {
  wasVerified: false,
  password: undefined,
  profiles: [],
  totp: undefined,
  sessions: [],
  pending: undefined
}

const isIn = ({ account }: World, who: Party): boolean => account?.sessions.includes(who) === true

const possessionOf = (world: World): Possession => {
  if (isIn(world, "owner")) return "session"
  return world.account?.password === "owner" && world.account.totp === undefined ? "password" : "none"
}

const accountStateOf = (account: Account, possession: Possession): AccountState => ({
  wasVerified: account.wasVerified,
  possession,
  accessMethods: {
    password: account.password !== undefined,
    profiles: account.profiles.length > 0,
    passkeys: false,
    secondFactor: account.totp !== undefined,
    sessions: account.sessions.length > 0,
    emailPending: account.pending !== undefined
  }
})

/** Applies the decision for a proof to the model. */
const prove = (world: World, proof: MailboxProof): World => {
  const { account } = world
  if (account === undefined) return world
  const { _tag } = decideMailboxProof(proof, accountStateOf(account, possessionOf(world)))
  if (_tag === "AsksForPossession") return world
  return { account: { ...(_tag === "TakesOver" ? fresh : account), wasVerified: true }, proved: true }
}

const changed = (world: World, change: (account: Account) => Account): World =>
  world.account === undefined ? world : { ...world, account: change(world.account) }

type Step = (world: World) => World

const loggedIn = (account: Account, who: Party): Account => ({
  ...account,
  sessions: [...new Set([...account.sessions, who])]
})

const signUp =
  (who: Party): Step =>
  (world) =>
    world.account === undefined ? { ...world, account: loggedIn({ ...fresh, password: who }, who) } : world

const throughUnverified =
  (who: Party): Step =>
  (world) => {
    if (world.account === undefined) return { ...world, account: loggedIn({ ...fresh, profiles: [who] }, who) }
    // If the email already has a user, an unverified provider only logs in a linked profile.
    return changed(world, (account) =>
      account.profiles.includes(who) && (account.totp ?? who) === who ? loggedIn(account, who) : account
    )
  }

const byPassword =
  (who: Party): Step =>
  (world) =>
    changed(world, (account) =>
      account.password === who && (account.totp ?? who) === who ? loggedIn(account, who) : account
    )

const whileIn =
  (who: Party, change: (account: Account) => Account): Step =>
  (world) =>
    isIn(world, who) ? changed(world, change) : world

const attacks: Readonly<Record<string, Step>> = {
  "signs up by password": signUp("attacker"),
  "signs up by an unverified provider": throughUnverified("attacker"),
  "logs in by password": byPassword("attacker"),
  "enrols an authenticator app": whileIn("attacker", (account) => ({ ...account, totp: account.totp ?? "attacker" })),
  "requests another email": whileIn("attacker", (account) => ({ ...account, pending: "attacker" })),
  "changes the password": whileIn("attacker", (account) =>
    account.password === "attacker" ? { ...account, pending: undefined, sessions: ["attacker"] } : account
  )
}

const own: Readonly<Record<string, Step>> = {
  "signs up by password": signUp("owner"),
  "signs up by an unverified provider": throughUnverified("owner"),
  "logs in by password": byPassword("owner"),
  "enrols an authenticator app": whileIn("owner", (account) => ({ ...account, totp: account.totp ?? "owner" })),
  "resets by mail": (world) =>
    changed(prove(world, "mailed_reset"), (account) => ({
      ...account,
      password: "owner",
      pending: undefined,
      sessions: []
    })),
  "confirms by mail": (world) => prove(world, "mailed_confirmation"),
  "logs in with a verified provider": (world) => {
    const proved = prove(world, "verified_provider")
    if (proved.account === undefined) {
      return { proved: true, account: loggedIn({ ...fresh, wasVerified: true, profiles: ["owner"] }, "owner") }
    }
    return changed(proved, (account) => {
      const linked: Account = { ...account, profiles: [...new Set<Party>([...account.profiles, "owner"])] }
      return (linked.totp ?? "owner") === "owner" ? loggedIn(linked, "owner") : linked
    })
  }
}

const steps = [
  ...Object.entries(attacks).map(([name, run]) => ({ name: `the attacker ${name}`, run })),
  ...Object.entries(own).map(([name, run]) => ({ name: `the owner ${name}`, run }))
]

const after = (order: ReadonlyArray<(typeof steps)[number]>): World =>
  order.reduce<World>((world, { run }) => run(world), { account: undefined, proved: false })

const anyOrder = Arbitrary.array(elementOf(steps), { minLength: 1, maxLength: 14 })

const options = { arbitrary: { runs: 5_000, size: 14 } }

describe("any order of steps by an attacker and a mailbox owner (SEC-85, SEC-86)", () => {
  const provesMailbox = Arbitrary.filter(anyOrder, (order) => {
    const { account, proved } = after(order)
    return proved && account !== undefined
  })

  it.prop(
    "leaves the attacker no access once the owner has proved control of the mailbox",
    [provesMailbox],
    ([order]) => {
      const { password, profiles, totp, sessions, pending } = after(order).account ?? fresh
      expect([password, totp, pending, ...profiles, ...sessions]).not.toContain("attacker")
    },
    options
  )

  it.prop(
    "lets the owner log in with the new password after an emailed reset, without the attacker's second factor",
    [Arbitrary.filter(anyOrder, (order) => after(order).account !== undefined)],
    ([order]) => {
      const reset = own["resets by mail"]
      const { account } = reset === undefined ? after(order) : reset(after(order))
      expect([account?.password, account?.totp ?? "owner"]).toEqual(["owner", "owner"])
    },
    options
  )
})
