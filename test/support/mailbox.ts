import { Api } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { ownService } from "./sallyport.ts"

type Own = Parameters<Parameters<typeof ownService>[0]>[0]

/** A service for this machine only, whose emails stay in its mailbox, and a local caller without a key. */
export const withMailbox = (use: (own: Own & { readonly here: Api }) => Promise<void>): Promise<void> =>
  ownService((own) => use({ ...own, here: new Api(own.transport, undefined) }), {
    mail: "mailbox",
    publicUrl: "http://localhost:3000"
  })

/** A new user whose email must be verified. The email is waiting to be sent. */
export const userAwaitingVerification = async (
  realm: GivenRealm,
  attributes: Readonly<Record<string, unknown>> = {}
): Promise<string> => {
  const email = `${uniqueText("mailed")}-${realm.id}@example.test`
  await realm.user({ email, email_verification: "requested", ...attributes })
  return email
}

/** An email hook of a realm that sends the given template for each new user. */
export const createEmailHook = async (
  realm: GivenRealm,
  attributes: Readonly<Record<string, unknown>>
): Promise<void> => {
  const hook = { realm_id: realm.id, hook_type: "email", event_type: ["user.created"], ...attributes }
  const made = await realm.post("/v2/hooks", { hook })
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
}
