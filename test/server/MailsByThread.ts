import { expect } from "vitest"
import { Api } from "#testing/Api"

/** A slow template is refused, and a mail is made: a process does both on a thread of its own. */
export const expectMailsByThread = async (url: string, key: string, realmId: string): Promise<void> => {
  const root = new Api(url, key)
  const hook = (email_template: string) =>
    root.post("/v2/hooks", {
      hook: {
        realm_id: realmId,
        hook_type: "email",
        event_type: ["user.created"],
        email_subject: "Hi {{first_name}}",
        email_template
      }
    })
  expect((await hook("*a_".repeat(5_000))).member("error_details", 0, "code")).toBe("template_slow")
  expect((await hook("# Hello {{first_name}}")).status).toBe(201)
  const own = new Api(url, key, realmId)
  await own.post("/v2/users", { user: { email: "ada@example.test", first_name: "Ada", password: "correct horse" } })
  const messages = () => root.get("/v2/test/messages?to=ada@example.test&wait=10")
  expect((await messages()).items).toMatchObject([{ subject: "Hi Ada" }])
}
