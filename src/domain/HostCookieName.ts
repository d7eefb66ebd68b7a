/** The name of the cookie with the secret of a browser's login, on the pages of hosted login. */
export const SESSION_COOKIE = "session"

/** The full name of a host's cookie. Under https, its prefix prevents other hosts from setting the cookie. */
export const hostCookieName = (origin: string, name: string): string =>
  origin.startsWith("https:") ? `__Host-${name}` : name

/** The name of the cookie with the secret of a console session. */
export const CONSOLE_COOKIE = "console_session"
