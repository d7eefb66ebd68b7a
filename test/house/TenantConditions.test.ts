import { readdirSync, readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { sourceOf } from "../../resilience/mutants/Source.ts"

const folder = resolve(import.meta.dirname, "../../src/store")

/** The end of a condition at its own level: the start of the next clause. */
const next = /^(?:where|left join|join|returning|order by|group by|limit|union|on conflict|do)\b/

/** The conditions of the SQL in a file: the text after each `where` and `on`, without the conditions of subqueries. */
const conditionsOf = (text: string): ReadonlyArray<string> => {
  const { strings, code } = sourceOf("src/store/Repo.ts", "store", text)
  return [...strings.matchAll(/\b(?:where|on)(?= )(?! conflict)/g)]
    .filter(({ index }) => code[index] === "_")
    .map(({ index }) => {
      const open: Array<boolean> = []
      let condition = ""
      for (let at = index; at < strings.length; at++) {
        const char = strings[at] ?? ""
        if ("({".includes(char)) open.push(/^\(\s*(?:select|with)\b/.test(strings.slice(at, at + 80)))
        const wasHidden = open.includes(true)
        if (")}".includes(char) && open.pop() === undefined) break
        const beginsWord = at > index && /\W/.test(strings[at - 1] ?? "")
        if (open.length === 0 && (/["`]/.test(char) || (beginsWord && next.test(strings.slice(at, at + 12))))) break
        if (!wasHidden && !open.includes(true)) condition += char
      }
      return condition.replaceAll(/\s+/g, " ").trim()
    })
}

/** The conditions without a realm, each with the reason. */
const acrossRealms: ReadonlyArray<readonly [condition: RegExp, reason: string]> = [
  [
    /^RealmsRepo: where (?:\w\.)?(?:id = |deleted_at is null)|: where (?:r\.)?id = \$\{(?:\w+\.)?realmId\}/,
    "The row is a realm."
  ],
  [
    /^(?:ApiKeysRepo|ConsoleSessionsRepo|IdempotentRequestsRepo): /,
    "A key may manage all realms, and its rows are found by the key."
  ],
  [
    /^DeliveryBacklogRepo: where (?:state = 'in_progress'|attempts > 0)/,
    "Metrics and doctor count pending deliveries in all realms."
  ],
  [/^AppHooksRepo: where h\.id = /, "A hook may receive events of all realms."],
  [/^ConnectedAppsRepo: where a\.subdomain = /, "The host of an app determines the realm."],
  [
    /^MailboxRepo: where (?:id = \$\{id\}|\$\{sql\.and\()/,
    "The mailbox of a test service shows the emails of all realms."
  ],
  [
    /^(?:EventsRepo: where a\.hooks = \$\{assumed\.text\}|SessionsRepo: where u\.user_type = .*|JwtKeysRepo: where public_key is not null)$|: on true$/,
    "The condition is on a subquery of the same statement, which has the realm."
  ],
  [/^RateLimitsRepo: (?:on q\.|where )limit_name = /, "A limit may count calls to all realms."],
  [/^RealmChangesRepo: where (?:xid |exists)/, "A process asks which realms have changed."],
  [/^ImportsRepo: where id = wanted\.id offset 0$/, "IDs of users and orgs are unique across realms."],
  [
    /^(?:ImportsRepo: where oid = 'users'::regclass$|RealmSizesRepo: where oid in)/,
    "The planner's statistics cover the whole table."
  ],
  [/: where \$\{(?:ofHook|isKnown|sql\.and)\(/, "The fragment has the realm."],
  [
    /: where (?:\w\.)?(?:expire[sd]_at (?:<=|is not null)|unused_until (?:<=|is not null)|deletion_at (?:<=|is not null)|check_at (?:<=|is not null)|event_retention_days )/,
    "The jobs for all realms find rows by their age."
  ],
  [
    /^(?:DeliveriesRepo: where state = 'in_progress'|EventRetentionRepo: where (?:\$\{isIn\(range\)\} and )?\$\{isDelivered\})/,
    "The jobs for all realms find rows by their state."
  ],
  [/^NodesRepo: /, "A dead process may have claimed rows of any realm."],
  [
    /^(?:EncryptedColumnsRepo|BackupRepo): |: where ctid = any\(/,
    "The job for all realms finds rows by their key or their position, and a backup is checked as a whole."
  ],
  [
    /^(?:CredentialsRepo: where credential_type|AuthProvidersRepo: where provider_type|LoginAttemptsRepo: where a\.blocked_until|RateLimitsRepo: where quotas)/,
    "The condition is on the row with the same key, which has the realm."
  ]
]

const conditions = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) =>
    conditionsOf(readFileSync(join(folder, name), "utf8")).map((condition) => `${basename(name, ".ts")}: ${condition}`)
  )

const namesRealm = (condition: string): boolean => /\b(?:hook_)?realm_id\b/.test(condition)

describe("the conditions of queries on tenant data", () => {
  test("filter by realm_id, or are listed with a documented exemption", () => {
    const without = conditions.filter((condition) => !namesRealm(condition))
    expect(without.filter((condition) => !acrossRealms.some(([known]) => known.test(condition)))).toEqual([])
    expect(conditions.length).toBeGreaterThan(200)
  })

  test("are exempted only if needed", () => {
    const without = conditions.filter((condition) => !namesRealm(condition))
    expect(acrossRealms.filter(([known]) => !without.some((condition) => known.test(condition)))).toEqual([])
  })

  test.each([
    ["sql`select * from users where id = ${id} and realm_id = ${realmId}`", []],
    ["sql`select * from users where id = ${find(id)} order by realm_id`", ["where id = ${find(id)}"]],
    ["sql`select (select 1 from b where b.realm_id = a.realm_id) from a where a.id = ${id}`", ["where a.id = ${id}"]],
    ["sql`select from a where a.realm_id = ${r} and exists (select from b where b.id = a.id)`", ["where b.id = a.id"]],
    ["sql`select from a where exists (select from b where b.realm_id = ${r})`", ["where exists"]],
    ["sql`select from a join b on b.id = a.b_id where a.realm_id = ${r}`", ["on b.id = a.b_id"]],
    ['const columns = "(select 1 from b where b.id = a.b_id)"', ["where b.id = a.b_id"]],
    ["// where id = 1", []]
  ])("are found by the check in: %s", (text, found) => {
    expect(conditionsOf(text).filter((condition) => !namesRealm(condition))).toEqual(found)
  })
})
