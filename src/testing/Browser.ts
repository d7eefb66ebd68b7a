import type { ServiceFetch } from "./ServiceFetch.ts"

/** A page as shown by a browser. */
export interface Page {
  /** The final URL after all redirects. */
  readonly url: URL
  /**
   * The status of the page. If a redirect leads out of the service, for example to an app's `login_handler`, it is the status
   * of that redirect.
   */
  readonly status: number
  /** The HTML of the page. Empty if the URL is outside the service. */
  readonly html: string
  /** The visible text of the page. */
  readonly text: string
}

/** A form on a page: its target, its current values, the text of its button, and its fields. */
interface Form {
  readonly action: string
  readonly values: Readonly<Record<string, string>>
  readonly button: string
  readonly open: ReadonlySet<string>
}

/** The maximum number of consecutive redirects, the same as in browsers. */
const MAX_REDIRECTS = 20

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  shy: "\u00ad"
}

const LAST_CODE_POINT = 0x10ffff

/** Returns the character of a numeric reference, or undefined if the reference is invalid. */
const characterOf = (name: string): string | undefined => {
  const [, hex, decimal] = /^#(?:[xX]([0-9a-fA-F]+)|(\d+))$/.exec(name) ?? []
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : undefined
}

const unescaped = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => characters[name] ?? characterOf(name) ?? whole)

/** The visible text of a part of a page. Non-breaking hyphens are replaced with plain hyphens. */
const wordsOf = (html: string): string =>
  unescaped(html.replaceAll(/<[^<>]*>/g, " ").replaceAll(/\s+/g, " "))
    .replaceAll("\u2011", "-")
    .trim()

/** The elements with a tag name, each with its attributes and content. */
const elementsIn = (html: string, name: string): ReadonlyArray<{ readonly tag: string; readonly inside: string }> =>
  html
    .split(`<${name} `)
    .slice(1)
    .map((part) => {
      const [whole = ""] = part.split(`</${name}>`, 1)
      const end = whole.indexOf(">")
      return { tag: ` ${whole.slice(0, end)}`, inside: whole.slice(end + 1) }
    })

const attribute = (tag: string, name: string): string | undefined => {
  const [value] = tag.split(` ${name}="`)[1]?.split('"', 1) ?? []
  return value === undefined ? undefined : unescaped(value)
}

/**
 * The values that a form submits if it is unchanged. A select has its selected or first option, and only checked checkboxes
 * have a value.
 */
const valuesIn = (inside: string): Form["values"] => {
  const values: Record<string, string> = {}
  let select: string | undefined
  for (const [tag, name] of inside.matchAll(/<(input|select|option)\b[^<>]*>/g)) {
    const value = attribute(tag, "value") ?? ""
    if (name === "option") {
      if (select !== undefined && (values[select] === undefined || / selected\b/.test(tag))) values[select] = value
      continue
    }
    const field = attribute(tag, "name")
    select = name === "select" ? field : undefined
    const isUnticked = /^(checkbox|radio)$/.test(attribute(tag, "type") ?? "") && !/ checked\b/.test(tag)
    if (name === "input" && field !== undefined && !isUnticked) values[field] = value
  }
  return values
}

const formsIn = (html: string): ReadonlyArray<Form> =>
  elementsIn(html, "form").map(({ tag, inside }) => {
    const open = [...inside.matchAll(/<(?:input|select)\b[^<>]*>/g)].flatMap(([field]) => {
      const name = attribute(field, "name")
      return name === undefined || attribute(field, "type") === "hidden" ? [] : [name]
    })
    return {
      action: attribute(tag, "action") ?? "",
      values: valuesIn(inside),
      button: wordsOf(elementsIn(inside, "button")[0]?.inside ?? ""),
      open: new Set(open)
    }
  })

/** The page of a provider that posts its form at once. */
const POSTS_ITSELF = '<body onload="document.forms[0].submit()">'

/** The headers of a form that another site's page posts. Browsers send no cookies with it. */
const FROM_ELSEWHERE = { accept: "text/html", "sec-fetch-site": "cross-site", origin: "https://provider.example" }

/**
 * A user's browser on a service's pages. It stores cookies, and follows redirects within the service and the fake providers.
 * It doesn't run scripts, because the pages work without them; but it posts the forms of providers that return it this way.
 */
export class Browser {
  readonly #fetch: ServiceFetch
  readonly #isInside: (url: URL) => boolean
  readonly #cookies = new Map<string, Map<string, string>>()
  #page: Page | undefined

  constructor(fetch: ServiceFetch, isInside: (url: URL) => boolean) {
    this.#fetch = fetch
    this.#isInside = isInside
  }

  /** The current page. Throws if no page has been opened. */
  get page(): Page {
    if (this.#page === undefined) throw new Error("No page is open yet. Call open() first.")
    return this.#page
  }

  /** Opens a page, such as an app's login page or a link from an email. */
  open(url: string | URL): Promise<Page> {
    return this.#go(new URL(url), undefined)
  }

  /** Follows the first link whose text contains these words, for example `Google`. */
  async click(words: string): Promise<Page> {
    const { url, html, text } = this.page
    for (const { tag, inside } of elementsIn(html, "a")) {
      const href = attribute(tag, "href")
      if (href !== undefined && wordsOf(inside).includes(words)) return this.open(new URL(href, url))
    }
    throw new Error(`No link with the words "${words}" on ${url.href}: ${text}`)
  }

  /**
   * Fills in and submits the first form that has these fields. If `button` is set, the form must have a button with this text.
   */
  async submit(fields: Readonly<Record<string, string>>, button?: string): Promise<Page> {
    const { url, html } = this.page
    const fits = ({ open, button: words }: Form) =>
      Object.keys(fields).every((name) => open.has(name)) && (button === undefined || words.includes(button))
    const form = formsIn(html).find(fits)
    if (form === undefined) {
      const found = formsIn(html).map(({ open, button }) => `"${button}" (${[...open].join(", ")})`)
      throw new Error(
        `No form with ${Object.keys(fields).join(", ")} on ${url.href}. Its forms: ${found.join("; ") || "none"}.`
      )
    }
    return this.#go(new URL(form.action, url), new URLSearchParams({ ...form.values, ...fields }))
  }

  async #go(to: URL, form: URLSearchParams | undefined): Promise<Page> {
    let [url, body, isPosted] = [to, form, false]
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.#load(url, body, isPosted)
      this.#keep(url, response.headers.getSetCookie())
      const html = await response.text()
      const location = response.headers.get("location")
      const [posted] = location === null && html.includes(POSTS_ITSELF) ? formsIn(html) : []
      isPosted = posted !== undefined
      if (posted !== undefined) {
        url = new URL(posted.action, url)
        body = new URLSearchParams(posted.values)
        continue
      }
      if (location === null) return this.#show(url, response.status, html)
      url = new URL(location, url)
      body = undefined
      if (!this.#isInside(url)) return this.#show(url, response.status, "")
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects from ${to.href}.`)
  }

  async #load(url: URL, body: URLSearchParams | undefined, isPosted: boolean): Promise<Response> {
    try {
      return await this.#fetch(url, {
        method: body === undefined ? "GET" : "POST",
        redirect: "manual",
        headers: isPosted ? FROM_ELSEWHERE : this.#headersTo(url, body !== undefined),
        ...(body === undefined ? {} : { body })
      })
    } catch (error) {
      // `fetch` itself only reports a failure; the cause of its error contains the reason.
      if (!(error instanceof Error && error.cause instanceof Error)) throw error
      const outside = this.#isInside(url) ? "" : " It is not a page of the service or of a fake provider."
      throw new Error(`${url.href} can't be reached: ${error.cause.message}.${outside}`, { cause: error })
    }
  }

  #show(url: URL, status: number, html: string): Page {
    this.#page = { url, status, html, text: wordsOf(html.slice(html.indexOf("<body"))) }
    return this.#page
  }

  /**
   * The headers that a browser sends when it opens a page or submits a form. They include no referrer, because our pages send
   * none.
   */
  #headersTo({ hostname }: URL, isForm: boolean): Readonly<Record<string, string>> {
    const cookie = [...(this.#cookies.get(hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ")
    return {
      accept: "text/html",
      "sec-fetch-site": isForm ? "same-origin" : "none",
      ...(isForm ? { origin: "null" } : {}),
      ...(cookie === "" ? {} : { cookie })
    }
  }

  #keep({ hostname }: URL, lines: ReadonlyArray<string>): void {
    const jar = this.#cookies.get(hostname) ?? new Map<string, string>()
    this.#cookies.set(hostname, jar)
    for (const line of lines) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; ?max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
  }
}
