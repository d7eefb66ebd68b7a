import type { Sallyport } from "#client/Sallyport"

/** The maximum number of apps that are searched for one with hosted pages. */
const MAX_APPS = 100

/**
 * Returns the URL of a hosted page that takes a token, as used in emails, on the host of the given app (default: the
 * realm's oldest app). Undefined if no app has pages.
 */
export const hostedLink = async (
  sdk: Sallyport,
  page: "reset" | "invitation",
  token: string,
  appId?: string | null
): Promise<string | undefined> => {
  const { items } = await sdk.clientApps.list({ sort: "id", max_results: MAX_APPS })
  const hosts = items.filter(({ login_url }) => login_url !== null)
  const login = (hosts.find(({ id }) => id === appId) ?? hosts[0])?.login_url
  return login === null || login === undefined
    ? undefined
    : new URL(`${page}?token=${encodeURIComponent(token)}`, login).href
}
