import { CONSOLE_COOKIE } from "#domain/HostCookieName"
import { CONSOLE_PAGES, CONSOLE_SUBDOMAIN, type LoginDomains } from "#platform/LoginDomains"
import { hostCookie } from "./HostCookie.ts"

/** The cookie of the console, which is one path above the pages for operators. The console itself sets it (C200). */
export const consoleCookie = (domains: LoginDomains["Service"]) => {
  const pages = new URL(domains.pages(CONSOLE_SUBDOMAIN)).pathname
  return hostCookie(CONSOLE_COOKIE, pages.slice(0, CONSOLE_PAGES.lastIndexOf("/") - CONSOLE_PAGES.length))
}
