import { expect } from "vitest"
import { type HostedOperationName, hostedOperations } from "#api/hosted/V1"
import type { Reply } from "#testing/Api"
import { GivenRealm, uniqueText } from "#testing/Given"
import type { TestOptions } from "#testing/TestSallyport"
import type { Transport } from "#testing/Transport"
import { appAt, HANDLER } from "../external/BrowserLogins.ts"
import { Browser } from "./browser.ts"
import { quickUser } from "./passwordEntryPoints.ts"
import { ownService } from "./sallyport.ts"

type Headers = Readonly<Record<string, string>>
type Input = Readonly<Record<string, unknown>>

/** The names of all hosted login operations. */
export const operationNames = Object.keys(hostedOperations).filter((name): name is HostedOperationName =>
  Object.hasOwn(hostedOperations, name)
)

/** The hosted login requests of a browser that stays at an app's host. */
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

/** An app of a realm and its hosted login API. Each call comes from a new browser. */
export const hostedAt = async (realm: GivenRealm, attributes: Input = {}) => {
  const at = await appAt(realm, attributes)
  return {
    ...at,
    ...asking(at.origin, () => new Browser(realm.transport)),
    /** Sends all calls from one browser, which stores cookies. */
    inBrowser: () => {
      const browser = new Browser(realm.transport)
      return { browser, ...asking(at.origin, () => browser) }
    },
    /** Calls another service on the same database. */
    of: ({ transport }: { readonly transport: Transport }) => asking(at.origin, () => new Browser(transport))
  }
}

/** The result of `hostedAt`. */
export type Hosted = Awaited<ReturnType<typeof hostedAt>>

/** Creates a user with a username and the password `PASSWORD`. */
export const person = (realm: GivenRealm, attributes: object = {}): Promise<Reply> =>
  quickUser(realm, { username: uniqueText("person"), ...attributes })

/** Status and body of a response. */
export const statusAndBody = (reply: Reply): readonly [status: number, body: unknown] => [reply.status, reply.body]

/** A rejection by hosted login: status 200, with the messages as one text and as a list (C9). */
export const rejection = (...errors: ReadonlyArray<string>) => [200, { error: errors.join(" "), errors }]

/** The rejection of a login for any reason. */
export const LOGIN_FAILED = rejection("Login failed.")

/** The rejection of an invalid, used or expired token. */
export const TOKEN_UNUSABLE = rejection("Token is invalid, has expired or has already been used.")

/** The body of a login that was handed over to a URL, with additional members in the body or the URL. */
export const handedOver = ({ place = HANDLER, more = {}, beside = "" } = {}) => ({
  ...more,
  token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
  url: expect.stringMatching(new RegExp(`^${place.replaceAll(/[.?+]/g, "\\$&")}[?&]token=ey[\\w.-]+${beside}$`))
})

/** A successful password login. */
export const LOGGED_IN = [200, handedOver({ more: { result: "okay" } })]

/** The token in a response. Asserts that its URL contains the same token. */
export const tokenIn = (reply: Reply): string => {
  const [token, url] = [reply.string("token"), reply.member("url")]
  if (typeof url === "string") expect(new URL(url).searchParams.getAll("token")).toEqual([token])
  return token
}

/**
 * Runs an action and returns its effects in a realm, including work after the responses. Stops the service only after
 * that work.
 */
export const effectsOf = async (
  realm: GivenRealm,
  action: (realm: GivenRealm) => Promise<unknown>,
  options: TestOptions = {}
) => {
  const before = new Set((await realm.seen.all()).map(({ id }) => id))
  await ownService(({ transport, key }) => action(new GivenRealm(transport, key, realm.id)), options)
  // IDs of two services with the same time have no defined order.
  const after = (await realm.seen.all()).filter(({ id }) => !before.has(id))
  return after.map(({ event_type, user_id }) => ({ event_type, user_id }))
}

/** A user with the password `PASSWORD` and an app, with a function that tries passwords at its login. */
export const userAtApp = async (realm: GivenRealm, attributes: object = {}, app: Input = {}) => {
  const [user, at] = [await person(realm, attributes), await hostedAt(realm, app)]
  const username = user.string("username")
  const login = (password: string) => at.post("login", { username, password })
  return { user, at, username, email: user.string("email"), login }
}
