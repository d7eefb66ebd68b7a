import { loginFlow } from "#client/frameworks/login/LoginFlow"
import type { OpenIdLoginOptions } from "#client/frameworks/login/LoginOptions"
import { fakeIssuer, ISSUER } from "./FakeIssuer.ts"
import { LoginVisitor, locationIn } from "./LoginVisitor.ts"

/** A browser that visits an app, which is an OpenID Connect client. */
export const visit = async (settings: Partial<OpenIdLoginOptions> = {}, document: Record<string, unknown> = {}) => {
  const issuer = await fakeIssuer(settings)
  issuer.document = document
  const flow = loginFlow(issuer.options)
  const browser = new LoginVisitor(flow)
  const begin = async (url = "/login") => {
    issuer.begun = await browser.begin(url)
    return issuer.begun.searchParams.get("state") ?? ""
  }
  const handOver = async (query: Readonly<Record<string, string>>) =>
    locationIn(await browser.handOver({ code: "c", iss: ISSUER, ...query }))
  const logIn = async () => handOver({ state: await begin() })
  /** Reads the session for a response that can't set cookies. */
  const readOnly = async () => {
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ")
    const header = (name: string) => (name === "cookie" ? cookie : undefined)
    return flow.read({ method: "GET", url: "/", header, param: () => undefined }, false)
  }
  return { issuer, browser, begin, handOver, logIn, readOnly }
}
