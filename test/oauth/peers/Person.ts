import type { Reply } from "#testing/Api"
import type { Transport } from "#testing/Transport"
import { Browser } from "../../support/browser.ts"
import { PASSWORD } from "../../support/logins.ts"
import { type FoundForm, formsIn, SAME_SITE_HEADERS } from "../../support/visitor.ts"

/** The result of an authorization or logout: the URL of the redirect, and the form if one was posted to it. */
export interface Arrival {
  readonly url: URL
  readonly form: URLSearchParams | undefined
  /** The paths of the pages that were shown, in order. */
  readonly shown: ReadonlyArray<string>
  /** The number of login pages and consent pages among them. */
  readonly asked: PromptCounts
}

interface PromptCounts {
  logins: number
  consents: number
}

/** The user's name and password, and how the user fills in the pages. */
export interface PersonOptions {
  readonly name?: string
  readonly password?: string
  /** The field names of the login form. Default: `name` and `password`. */
  readonly fields?: readonly [name: string, password: string]
  /** The consent button to press. Default: `Allow`. */
  readonly consent?: string
  /** Additional buttons to press on pages without fields. */
  readonly presses?: ReadonlyArray<string>
}

/** A limit that no flow reaches with its redirects and pages. */
const MAX_STEPS = 20

/** A person who completes a service's pages in a browser and stops when a redirect leaves the service. */
export class Person {
  readonly browser: Browser
  readonly #isOurs: (host: string) => boolean
  readonly #options: PersonOptions

  /** `isOurs` returns whether a host belongs to the service. */
  constructor(
    transport: Transport,
    options: PersonOptions = {},
    isOurs = (host: string) => /(?:^id\.example\.test|\.localhost)(?::\d+)?$/.test(host)
  ) {
    this.browser = new Browser(transport)
    this.#options = options
    this.#isOurs = isOurs
  }

  /** The form to submit on a page with its values, or undefined on a final page. */
  #formToSubmit(page: Reply, asked: PromptCounts): Pick<FoundForm, "action" | "values"> | undefined {
    const { name, password = PASSWORD, consent = "Allow", presses = [] } = this.#options
    const [nameField, passwordField] = this.#options.fields ?? ["name", "password"]
    const forms = formsIn(page)
    // A person who logs in again only enters their password. The form contains their name.
    const login = forms.find(({ open, values }) => open.has(passwordField) && values[nameField] !== undefined)
    if (login !== undefined) {
      asked.logins += 1
      if (name === undefined) return undefined
      return { action: login.action, values: { ...login.values, [nameField]: name, [passwordField]: password } }
    }
    const allowed = forms.find(({ button }) => button === consent)
    if (allowed !== undefined) asked.consents += 1
    return allowed ?? forms.find(({ button }) => presses.includes(button))
  }

  /** Opens a URL and continues until a redirect leaves the service or nothing is left to submit. */
  async walk(
    address: string | URL,
    first: { readonly form?: Readonly<Record<string, string>> } = {}
  ): Promise<Arrival> {
    const shown: Array<string> = []
    const asked = { logins: 0, consents: 0 }
    let at = new URL(address)
    let page = await this.browser.go(at, { ...first, headers: { "sec-fetch-site": "cross-site" } })
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const location = page.headers.get("location")
      if (location !== null) {
        at = new URL(location, at)
        if (!this.#isOurs(at.host)) return { url: at, form: undefined, shown, asked }
        page = await this.browser.go(at, { headers: { "sec-fetch-site": "same-site" } })
        continue
      }
      shown.push(at.pathname)
      const posted = formsIn(page)[0]
      if (posted !== undefined && posted.action.startsWith("http") && !this.#isOurs(new URL(posted.action).host)) {
        return { url: new URL(posted.action), form: new URLSearchParams(posted.values), shown, asked }
      }
      const answer = page.status === 200 ? this.#formToSubmit(page, asked) : undefined
      if (answer === undefined) throw new StoppedOnPage(at, page, shown)
      at = new URL(answer.action === "" ? at.pathname : answer.action, at)
      page = await this.browser.go(at, { form: answer.values, headers: SAME_SITE_HEADERS })
    }
    throw new Error(`The pages redirect in a loop: ${shown.join(", ")}`)
  }
}

/** A page with nothing left to submit, such as an error. */
export class StoppedOnPage extends Error {
  readonly at: URL
  readonly page: Reply
  readonly shown: ReadonlyArray<string>

  constructor(at: URL, page: Reply, shown: ReadonlyArray<string>) {
    super(
      `Nothing to do at ${at.origin}${at.pathname}${at.search.slice(0, 200)}: ${page.status} ${page.text.replaceAll(/<style>.*?<\/style>/gs, "").slice(0, 1500)}`
    )
    this.at = at
    this.page = page
    this.shown = shown
  }
}

/** The page on which a walk ends without having left the service. */
export const finalPage = async (walk: Promise<Arrival>): Promise<StoppedOnPage> => {
  const ended = await walk.catch((error: unknown) => error)
  if (ended instanceof StoppedOnPage) return ended
  if (ended instanceof Error) throw ended
  throw new Error(`The walk left the service: ${JSON.stringify(ended)}`)
}
