const TOKEN = /^#login=([0-9A-Za-z]+)$/

/**
 * Returns the token of the login link that opened this page, and removes it from the address and the history. The fragment with
 * the token is never sent to a server (SEC-290).
 */
export const takeLinkToken = (): string | undefined => {
  const [, token] = TOKEN.exec(window.location.hash) ?? []
  if (token !== undefined)
    window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search)
  return token
}

/** Loads the page again if a login link is opened in its tab, because only the fragment then changes. */
export const reloadForLinks = (): void =>
  window.addEventListener("hashchange", () => {
    if (TOKEN.test(window.location.hash)) window.location.reload()
  })
