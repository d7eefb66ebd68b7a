import { readFile } from "node:fs/promises"
import { Clock, Effect } from "effect"
import type { CallOptions } from "#client/Form"
import type { OrgItem } from "#client/generated/types/OrgItem"
import type { UserItem } from "#client/generated/types/UserItem"
import type { Page } from "#client/List"
import type { Sallyport } from "#client/Sallyport"
import { CommandFailed } from "../CommandFailed.ts"
import { printStatus } from "../Output.ts"
import type { Remote } from "../Remote.ts"
import { WorkDone } from "../WorkDone.ts"
import { Disk, writing } from "./Disk.ts"
import { count } from "./Messages.ts"
import { recordOf } from "./NdjsonRecords.ts"
import type { Row, RowMembership } from "./Row.ts"

/** The maximum number of items on a page. */
const PAGE = 1_000

/** How often a call is repeated while the service is busy or unreachable. A `Retry-After` of up to a minute is respected. */
const RETRIES = 8

const NEWLINE = 10

/** What was read. `resumedAfter`: the number of users in the file of an interrupted run. */
export interface Fetched {
  readonly users: number
  readonly resumedAfter: number
  readonly orgs: number
  readonly memberships: number
  readonly leftOut: {
    /** Orgs that are closed, which imports don't accept. */
    readonly closedOrgs: number
    /** References that several users share. All but the first of these users get their ID as reference. */
    readonly sharedReferences: number
    /** Email changes that await verification. */
    readonly pendingEmails: number
  }
  readonly seconds: number
}

type ListCall<A> = (
  sallyport: Sallyport,
  after: { readonly after?: string },
  options: CallOptions
) => PromiseLike<Page<A>>

/** Returns a function that gives each ID a reference that no other one has. */
const uniqueReferences = () => {
  const seen = new Set<string>()
  let shared = 0
  return {
    of: ({ id, reference }: { readonly id: string; readonly reference: string | null }): string => {
      const isTaken = reference !== null && seen.has(reference)
      if (isTaken) shared += 1
      const unique = reference === null || isTaken ? id : reference
      seen.add(unique)
      return unique
    },
    add: (reference: string) => void seen.add(reference),
    get shared() {
      return shared
    }
  }
}

const rowOf = (user: UserItem, reference: string, memberships: ReadonlyArray<RowMembership>): Row => ({
  id: user.id,
  reference,
  state: user.state,
  email: user.email,
  email_verification: user.email_verification,
  first_name: user.first_name,
  last_name: user.last_name,
  username: user.username,
  locale: user.locale,
  custom: user.custom ?? {},
  created_at: user.created_at,
  last_login_at: user.last_login_at,
  memberships
})

/** The complete rows of an interrupted run: the length of their lines, and each row's ID and reference. */
const rowsIn = (content: Buffer) => {
  const rows: Array<{ readonly id: string; readonly reference: string }> = []
  let length = 0
  for (let end = content.indexOf(NEWLINE); end !== -1; end = content.indexOf(NEWLINE, length)) {
    const read = recordOf(content.subarray(length, end).toString())
    const { id, reference } = "record" in read ? read.record : {}
    if (typeof id !== "string" || typeof reference !== "string") return undefined
    rows.push({ id, reference })
    length = end + 1
  }
  return { rows, length }
}

/** Reads all pages of a list. */
const readAll = Effect.fnUntraced(function* <A, E, R>(
  remote: Remote,
  list: ListCall<A>,
  first: string | undefined,
  each: (items: ReadonlyArray<A>) => Effect.Effect<void, E, R>
) {
  let after = first
  do {
    const page = yield* remote.read((sallyport, options) =>
      list(sallyport, after === undefined ? {} : { after }, { ...options, retries: RETRIES })
    )
    yield* each(page.items)
    after = page.after
  } while (after !== undefined)
})

/** Reads the memberships of all orgs, by user. */
const membershipsByUser = Effect.fnUntraced(function* (realm: { readonly realm_id?: string }, remote: Remote) {
  const orgs: Array<OrgItem> = []
  const references = uniqueReferences()
  const byUser = new Map<string, Array<RowMembership>>()
  let [closedOrgs, memberships] = [0, 0]
  yield* readAll(
    remote,
    (sallyport, after, options) =>
      sallyport.orgs.list({ ...realm, ...after, sort: "id", max_results: PAGE, expand: ["custom"] }, options),
    undefined,
    (items) => Effect.sync(() => void orgs.push(...items))
  )
  for (const org of orgs) {
    if (org.state === "closed") {
      closedOrgs += 1
      continue
    }
    const described = {
      id: org.id,
      reference: references.of(org),
      name: org.name,
      state: org.state,
      custom: org.custom ?? {},
      created_at: org.created_at
    }
    yield* readAll(
      remote,
      (sallyport, after, options) =>
        sallyport.memberships.list({ ...realm, ...after, org_id: org.id, sort: "id", max_results: PAGE }, options),
      undefined,
      (items) =>
        Effect.sync(() => {
          for (const { user_id, permissions, expires_at } of items) {
            const known = byUser.get(user_id) ?? []
            known.push({ org: described, permissions, expires_at })
            byUser.set(user_id, known)
            memberships += 1
          }
        })
    )
  }
  return { byUser, orgs: orgs.length - closedOrgs, closedOrgs, memberships }
})

/** Reads the users of a realm through the contract's lists, and writes import rows with their IDs to a file. */
export const fetchUsers = Effect.fn("cli.fetchUsers")(function* (
  { realm, file }: { readonly realm: string | undefined; readonly file: string },
  remote: Remote
) {
  const disk = yield* Disk
  const { note } = yield* WorkDone
  const began = yield* Clock.currentTimeMillis
  const part = `${file}.part`
  const todo = "Run the same command again to continue."
  const content = yield* Effect.promise(() => readFile(part).catch(() => Buffer.alloc(0)))
  const earlier = rowsIn(content)
  if (earlier === undefined) {
    return yield* new CommandFailed({
      happened: `${part} was not written by this command.`,
      todo: "Delete it, or choose another file."
    })
  }
  const references = uniqueReferences()
  for (const { reference } of earlier.rows) references.add(reference)
  let [users, pendingEmails] = [earlier.rows.length, 0]
  yield* note(() => `${count(users, "user")} written to ${part}. ${todo}`)
  if (users > 0) yield* printStatus(`Continuing after ${count(users, "user")} of an earlier run.`)

  const named = realm === undefined ? {} : { realm_id: realm }
  const { byUser, ...found } = yield* membershipsByUser(named, remote)
  yield* printStatus(`Read ${count(found.orgs, "org")} with ${count(found.memberships, "membership")}.`)
  yield* Effect.acquireUseRelease(
    writing(part, todo, async () => {
      const opened = await disk.open(part, "a")
      await opened.truncate(earlier.length)
      return opened
    }),
    (output) =>
      readAll(
        remote,
        (sallyport, after, options) =>
          sallyport.users.list({ ...named, ...after, sort: "id", max_results: PAGE, expand: ["custom"] }, options),
        earlier.rows.at(-1)?.id,
        (items) => {
          const rows = items.map((user) => rowOf(user, references.of(user), byUser.get(user.id) ?? []))
          const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
          return Effect.map(
            writing(part, todo, () => output.appendFile(lines)),
            () => {
              users += items.length
              pendingEmails += items.filter(({ email_pending }) => (email_pending ?? null) !== null).length
            }
          )
        }
      ).pipe(Effect.andThen(writing(part, todo, () => output.sync()))),
    (output) => Effect.promise(() => output.close().catch(() => undefined))
  )
  yield* writing(file, todo, () => disk.rename(part, file))
  const { closedOrgs, orgs, memberships } = found
  return {
    users,
    resumedAfter: earlier.rows.length,
    orgs,
    memberships,
    leftOut: { closedOrgs, sharedReferences: references.shared, pendingEmails },
    seconds: ((yield* Clock.currentTimeMillis) - began) / 1000
  } satisfies Fetched
})
