import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"

type Headers = Readonly<Record<string, string>>
type Filled = Readonly<Record<string, string>>

/** A page of a realm, requested by a browser without a key. */
export const pageOf = (
  realm: Pick<GivenRealm, "transport" | "id">,
  page: "deletion" | "verify" | "reset" | "invitation"
) => {
  const browser = new Api(realm.transport, undefined)
  const path = `/realms/${realm.id}/${page}`
  return {
    path,
    show: (query: Filled, headers: Headers = {}, method = "GET"): Promise<Reply> =>
      browser.call(method, `${path}?${new URLSearchParams(query)}`, { headers }),
    send: (fields: Filled, headers: Headers = {}): Promise<Reply> =>
      browser.call("POST", path, {
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
      })
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#96": "`",
  "#8209": "-"
}

/** Unescapes markup. */
export const unescapeHtml = (text: string) =>
  text.replaceAll(/&(#?\w+);/g, (whole, entity: string) => entities[entity] ?? whole)

/** The visible text of a page. */
export const visibleText = ({ text }: Pick<Reply, "text">): string =>
  unescapeHtml(text.replace(/<head>.*<\/head>/s, "").replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ")

/** The page's heading. */
export const heading = ({ text }: Reply): string | undefined => {
  const found = /<h1>(.*?)<\/h1>/.exec(text)?.[1]
  return found === undefined ? undefined : unescapeHtml(found)
}

/** The value of a field, including hidden ones. */
export const fieldOf = ({ text }: Reply, field: string): string | undefined => {
  const tag = text.match(/<input[^>]*>/g)?.find((one) => one.includes(` name="${field}"`))
  const value = tag === undefined ? undefined : / value="([^"]*)"/.exec(tag)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

/** The tags of a page without their values. User input must never change these. */
export const tagsOf = ({ text }: Pick<Reply, "text">): ReadonlyArray<string> =>
  (text.replace(/<style>.*<\/style>/s, "").match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))

/** Status and heading. */
export const statusAndHeading = (reply: Reply) => [reply.status, heading(reply)]

/** The page for an invalid, used or expired token. */
export const GONE = [410, "This link no longer works"]
export const GONE_INVITATION = [410, "This invitation no longer works"]
