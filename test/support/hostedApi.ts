import { expect } from "vitest"
import { type HostedOperationName, hostedOperations } from "#api/hosted/V1"
import type { Reply } from "#testing/Api"
import { GivenRealm, unique } from "#testing/Given"
import type { TestOptions } from "#testing/TestSallyport"
import type { Transport } from "#testing/Transport"
import { appAt, HANDLER } from "../external/BrowserLogins.ts"
import { Browser } from "./browser.ts"
import { quickUser } from "./passwordEntryPoints.ts"
import { ownService } from "./sallyport.ts"

type Headers = Readonly<Record<string, string>>
type Input = Readonly<Record<string, unknown>>

/** All operations of hosted login. */
export const operationNames = Object.keys(hostedOperations).filter((name): name is HostedOperationName =>
  Object.hasOwn(hostedOperations, name)
)

/** What a browser that stays at the host of an app asks of hosted login there. */
const asking = (origin: string, browser: () => Browser) => {
  const at = (name: HostedOperationName) => `${origin}${hostedOperations[name].path}`
  return {
    post: (name: HostedOperationName, input: Input = {}, headers: Headers = {}): Promise<Reply> =>
      browser().go(at(name), {
        method: "POST",
        body: JSON.stringify(input),
        headers: { "content-type": "application/json", ...headers }
      }),
    form: (name: HostedOperationName, form: Headers = {}, headers: Headers = {}): Promise<Reply> =>
      browser().go(at(name), { form, headers }),
    get: (name: HostedOperationName, query: Headers = {}, headers: Headers = {}): Promise<Reply> =>
      browser().go(`${at(name)}?${new URLSearchParams(query)}`, { headers }),
    send: (name: HostedOperationName, method: string, headers: Headers = {}, body?: string): Promise<Reply> =>
      browser().go(at(name), { method, headers, ...(body === undefined ? {} : { body }) })
  }
}

/** An app of a realm, and its hosted login: each call by a browser that has never been there. */
export const hostedAt = async (realm: GivenRealm, attributes: Input = {}) => {
  const at = await appAt(realm, attributes)
  return {
    ...at,
    ...asking(at.origin, () => new Browser(realm.transport)),
    /** The same in one browser, which keeps its cookies. */
    inBrowser: () => {
      const browser = new Browser(realm.transport)
      return { browser, ...asking(at.origin, () => browser) }
    },
    /** The same of another service on the same database. */
    of: ({ transport }: { readonly transport: Transport }) => asking(at.origin, () => new Browser(transport))
  }
}

/** What `hostedAt` gives. */
export type Hosted = Awaited<ReturnType<typeof hostedAt>>

/** A user with a username, whose password is `PASSWORD`. */
export const person = (realm: GivenRealm, attributes: object = {}): Promise<Reply> =>
  quickUser(realm, { username: unique("person"), ...attributes })

/** What an answer says: status and body. */
export const told = (reply: Reply): readonly [status: number, body: unknown] => [reply.status, reply.body]

/** How hosted login refuses: with status 200, all sentences in one, and each (C9). */
export const refusedWith = (...errors: ReadonlyArray<string>) => [200, { error: errors.join(" "), errors }]

/** How a login is refused, whatever the reason. */
export const LOGIN_FAILED = refusedWith("Login failed.")

/** How a token is refused that is none, or none any more. */
export const TOKEN_UNUSABLE = refusedWith("Token is invalid, has expired or has already been used.")

/** A body of a login that was handed over to a place, with more in it or in the address. */
export const handedOver = ({ place = HANDLER, more = {}, beside = "" } = {}) => ({
  ...more,
  token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
  url: expect.stringMatching(new RegExp(`^${place.replaceAll(/[.?+]/g, "\\$&")}[?&]token=ey[\\w.-]+${beside}$`))
})

/** A good login by password. */
export const LOGGED_IN = [200, handedOver({ more: { result: "okay" } })]

/** The token of an answer, and the one in its address: they are one. */
export const tokenIn = (reply: Reply): string => {
  const [token, url] = [reply.string("token"), reply.member("url")]
  if (typeof url === "string") expect(new URL(url).searchParams.getAll("token")).toEqual([token])
  return token
}

/** What an action causes in a realm, with what the service does after its answers: it stops only once that is done. */
export const settled = async (
  realm: GivenRealm,
  action: (realm: GivenRealm) => Promise<unknown>,
  options: TestOptions = {}
) => {
  const before = new Set((await realm.seen.all()).map(({ id }) => id))
  await ownService(({ transport, key }) => action(new GivenRealm(transport, key, realm.id)), options)
  // Ids of two services of one time are in no order.
  const after = (await realm.seen.all()).filter(({ id }) => !before.has(id))
  return after.map(({ event_type, user_id }) => ({ event_type, user_id }))
}

/** A user who has the password `PASSWORD`, and an app; how passwords do at its login. */
export const started = async (realm: GivenRealm, attributes: object = {}, app: Input = {}) => {
  const [user, at] = [await person(realm, attributes), await hostedAt(realm, app)]
  const username = user.string("username")
  const login = (password: string) => at.post("login", { username, password })
  return { user, at, username, email: user.string("email"), login }
}
