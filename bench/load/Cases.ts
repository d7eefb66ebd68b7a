import type { Call } from "./Load.ts"
import { type ListedPage, passwordHash, type Seeded, type SeededRealm } from "./Seed.ts"

const targetOf = { read: 1.6, createSession: 2, createUser: 2.5 }

/** One kind of request: a row of the report. */
export interface Case {
  /** The name of the case for `--only`. */
  readonly name: string
  readonly title: string
  /** The maximum CPU time per request, as a multiple of the plain server's. */
  readonly target: number
  /** Whether each response contains new ids and times. */
  readonly creates: boolean
  /** Whether the same request can be sent again. */
  readonly repeatable: boolean
  /** The next request and its expected response. */
  readonly next: () => Call
}

/** A GET request with the key of a realm. */
export const get = (realm: Pick<SeededRealm, "key">, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${realm.key}\r\n\r\n`

/** A POST request with the key of a realm. */
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

/** Prepares one call for each item and returns them in rotation. */
export const roundRobin = <A>(items: ReadonlyArray<A>, call: (item: A, index: number) => Call): (() => Call) => {
  const calls = items.map(call)
  let at = 0
  return () => {
    const next = calls[at++ % calls.length]
    if (next === undefined) throw new Error("There are no items to request.")
    return next
  }
}

const list = (realm: SeededRealm, page: ListedPage): (() => Call) => {
  const request = get(realm, page.after === undefined ? "/v2/users" : `/v2/users?after=${page.after}`)
  const expectedTexts = [`{"collection":[{"id":"${page.first}"`, `{"id":"${page.last}"`, `"more_results":true}`]
  return () => ({ request, status: 200, expectedTexts })
}

/** All cases, in the order of the report. */
export const casesOf = ({ small, large, growing }: Seeded): ReadonlyArray<Case> => {
  let made = 0
  return [
    {
      name: "get-session",
      title: "get session",
      target: targetOf.read,
      creates: false,
      repeatable: true,
      next: roundRobin(small.sessions, (id) => ({
        request: get(small, `/v2/sessions/${id}`),
        status: 200,
        expectedTexts: [`{"id":"${id}"`, `"token":"ey`]
      }))
    },
    {
      name: "create-session",
      title: "create session",
      target: targetOf.createSession,
      creates: true,
      repeatable: true,
      next: roundRobin(small.users, (id) => ({
        request: post(small, "/v2/sessions", { session: { user_id: id } }),
        status: 201,
        expectedTexts: [`{"id":"kss_`, `"user_id":"${id}"`, `"token":"ey`]
      }))
    },
    {
      name: "get-user",
      title: "get user",
      target: targetOf.read,
      creates: false,
      repeatable: true,
      next: roundRobin(small.users, (id) => ({
        request: get(small, `/v2/users/${id}`),
        status: 200,
        expectedTexts: [`{"id":"${id}"`, `"credential_type":"password"`]
      }))
    },
    {
      name: "create-user",
      title: "create user (password already hashed)",
      target: targetOf.createUser,
      creates: true,
      repeatable: false,
      next: () => {
        const email = `visitor${made++}@example.test`
        const credentials = [{ credential_type: "password", password_hash: passwordHash }]
        return {
          request: post(growing, "/v2/users", { user: { email, credentials } }),
          status: 201,
          expectedTexts: [`{"id":"usr_`, `"email":"${email}"`, `"credential_type":"password"`, `"new_record":true`]
        }
      }
    },
    {
      name: "create-user-bare",
      title: "create user (no credential)",
      target: targetOf.createUser,
      creates: true,
      repeatable: false,
      next: () => {
        const email = `visitor${made++}@example.test`
        return {
          request: post(growing, "/v2/users", { user: { email, credentials: [] } }),
          status: 201,
          expectedTexts: [`{"id":"usr_`, `"email":"${email}"`, `"credentials":[]`, `"new_record":true`]
        }
      }
    },
    {
      name: "list-first-1k",
      title: "list 100 users, first page of 1,000",
      target: targetOf.read,
      creates: false,
      repeatable: true,
      next: list(small, small.firstPage)
    },
    {
      name: "list-deep-1k",
      title: "list 100 users, deep page of 1,000",
      target: targetOf.read,
      creates: false,
      repeatable: true,
      next: list(small, small.deepPage)
    },
    {
      name: "list-first-100k",
      title: "list 100 users, first page of 100,000",
      target: targetOf.read,
      creates: false,
      repeatable: true,
      next: list(large, large.firstPage)
    },
    {
      name: "list-deep-100k",
      title: "list 100 users, deep page of 100,000",
      target: targetOf.read,
      creates: false,
      repeatable: true,
      next: list(large, large.deepPage)
    }
  ]
}

/** The cases with the same realm in all roles, so that each kind of list occurs once. A quick run omits two of them. */
export const casesInRealm = (realm: SeededRealm, isQuick: boolean): ReadonlyArray<Case> =>
  casesOf({ small: realm, large: realm, growing: realm }).filter(
    ({ name }) => !name.endsWith("-1k") && !(isQuick && ["create-user-bare", "list-deep-100k"].includes(name))
  )
