import type { Call } from "./Load.ts"
import { type ListedPage, passwordHash, type Seeded, type SeededRealm } from "./Seed.ts"

/** A row of the table: one kind of request. */
export interface Case {
  /** Its name for `--only`. */
  readonly name: string
  readonly title: string
  /** The most CPU per request that is accepted, as a multiple of the floor's; undefined: none is set. */
  readonly target: number | undefined
  /** Whether its answers hold new ids and times, so that no two are the same. */
  readonly creates: boolean
  /** Whether the same call can be made again. */
  readonly repeatable: boolean
  /** The next request, with what its answer must hold. */
  readonly next: () => Call
}

/** A request to read something with a realm's key. */
export const get = (realm: Pick<SeededRealm, "key">, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${realm.key}\r\n\r\n`

/** A request to write something with a realm's key. */
export const post = (realm: Pick<SeededRealm, "key">, path: string, body: object): string => {
  const text = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: bench",
    `Authorization: Bearer ${realm.key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`
  ]
  return `${head.join("\r\n")}\r\n\r\n${text}`
}

/** Calls made beforehand, one after the other and round again. */
export const inTurn = <A>(items: ReadonlyArray<A>, call: (item: A, index: number) => Call): (() => Call) => {
  const calls = items.map(call)
  let at = 0
  return () => {
    const next = calls[at++ % calls.length]
    if (next === undefined) throw new Error("There is nothing to ask for.")
    return next
  }
}

const list = (realm: SeededRealm, page: ListedPage): (() => Call) => {
  const request = get(realm, page.after === undefined ? "/v2/users" : `/v2/users?after=${page.after}`)
  const holds = [`{"collection":[{"id":"${page.first}"`, `{"id":"${page.last}"`, `"more_results":true}`]
  return () => ({ request, status: 200, holds })
}

/** The rows, in the order of the table. */
export const casesOf = ({ small, large, growing }: Seeded): ReadonlyArray<Case> => {
  let made = 0
  return [
    {
      name: "get-session",
      title: "get session",
      target: 1.5,
      creates: false,
      repeatable: true,
      next: inTurn(small.sessions, (id) => ({
        request: get(small, `/v2/sessions/${id}`),
        status: 200,
        holds: [`{"id":"${id}"`, `"token":"ey`]
      }))
    },
    {
      name: "create-session",
      title: "create session",
      target: 1.7,
      creates: true,
      repeatable: true,
      next: inTurn(small.users, (id) => ({
        request: post(small, "/v2/sessions", { session: { user_id: id } }),
        status: 201,
        holds: [`{"id":"kss_`, `"user_id":"${id}"`, `"token":"ey`]
      }))
    },
    {
      name: "get-user",
      title: "get user",
      target: 1.5,
      creates: false,
      repeatable: true,
      next: inTurn(small.users, (id) => ({
        request: get(small, `/v2/users/${id}`),
        status: 200,
        holds: [`{"id":"${id}"`, `"credential_type":"password"`]
      }))
    },
    {
      name: "create-user",
      title: "create user (password already hashed)",
      target: undefined,
      creates: true,
      repeatable: false,
      next: () => {
        const email = `new${made++}@example.test`
        const credentials = [{ credential_type: "password", password_hash: passwordHash }]
        return {
          request: post(growing, "/v2/users", { user: { email, credentials } }),
          status: 201,
          holds: [`{"id":"usr_`, `"email":"${email}"`, `"credential_type":"password"`, `"new_record":true`]
        }
      }
    },
    {
      name: "list-first-1k",
      title: "list 100 users, first page of 1,000",
      target: 1.5,
      creates: false,
      repeatable: true,
      next: list(small, small.firstPage)
    },
    {
      name: "list-deep-1k",
      title: "list 100 users, deep page of 1,000",
      target: 1.5,
      creates: false,
      repeatable: true,
      next: list(small, small.deepPage)
    },
    {
      name: "list-first-100k",
      title: "list 100 users, first page of 100,000",
      target: 1.5,
      creates: false,
      repeatable: true,
      next: list(large, large.firstPage)
    },
    {
      name: "list-deep-100k",
      title: "list 100 users, deep page of 100,000",
      target: 1.5,
      creates: false,
      repeatable: true,
      next: list(large, large.deepPage)
    }
  ]
}
