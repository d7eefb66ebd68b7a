import { Api, type Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { Browser } from "./browser.ts"
import { ConsolePage, ORIGIN } from "./console.ts"
import { type Service } from "./sallyport.ts"
import { SAME_SITE_HEADERS } from "./visitor.ts"

/** The password of operators in tests. */
export const OPERATOR_PASSWORD = "correct horse battery staple"

/** The URL of a page for operators. */
export const operatorUrl = (page: string): string => `${ORIGIN}/console/auth/${page}`

/** A caller with the root key. */
export const rootOf = ({ transport, key }: Pick<Service, "transport" | "key">): Api => new Api(transport, key)

/** Invites an operator. */
export const inviteOperator = (root: Api, role: string, more: object = {}): Promise<Reply> =>
  root.post("/v2/operators", {
    operator: { email: `${uniqueText("operator")}@example.test`, role, send_email: false, ...more }
  })

/** Submits a form on one of the pages for operators. */
export const submitTo = (browser: Browser, page: string, form: Readonly<Record<string, string>>): Promise<Reply> =>
  browser.go(operatorUrl(page), { form, headers: SAME_SITE_HEADERS })

/** An operator who is logged in to the console. */
export interface LoggedInOperator {
  readonly id: string
  readonly email: string
  readonly browser: Browser
  readonly page: ConsolePage
}

/** Accepts an invitation in a new browser, and opens the console. */
export const acceptInvitation = async (
  { transport }: Pick<Service, "transport">,
  invited: Reply
): Promise<LoggedInOperator> => {
  const browser = new Browser(transport)
  const token = new URL(invited.string("url")).searchParams.get("token") ?? ""
  const form = { token, password: OPERATOR_PASSWORD, password_confirmation: OPERATOR_PASSWORD }
  const accepted = await submitTo(browser, "invitation", form)
  if (accepted.status !== 303) throw new Error(`Not accepted: ${accepted.status} ${accepted.text}`)
  const page = new ConsolePage(transport, browser)
  const reply = await page.signInOperator()
  if (reply.status !== 201) throw new Error(`No login: ${reply.status} ${reply.text}`)
  return { id: invited.string("id"), email: invited.string("email"), browser, page }
}

/** A new operator who is logged in to the console. */
export const loggedInOperator = async (
  service: Pick<Service, "transport" | "key">,
  role: string,
  more: object = {}
): Promise<LoggedInOperator> => acceptInvitation(service, await inviteOperator(rootOf(service), role, more))
