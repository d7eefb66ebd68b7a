import { expect } from "vitest"
import { Api, type Reply } from "#testing/Api"

/** A slow template is refused, and a mail is made: a process does both on a thread of its own. */
export const expectMailsByThread = async (url: string, key: string, realmId: string): Promise<void> => {
  const root = new Api(url, key)
  /** Asks again as long as a machine that is busy with other things has no time to try the template. */
  const hook = async (email_template: string): Promise<Reply> => {
    const reply = await root.post("/v2/hooks", {
      hook: {
        realm_id: realmId,
        hook_type: "email",
        event_type: ["user.created"],
        email_subject: "Hi {{first_name}}",
        email_template
      }
    })
    return reply.member("error_details", 0, "code") === "renderer_busy" ? hook(email_template) : reply
  }
  expect((await hook("*a_".repeat(5_000))).member("error_details", 0, "code")).toBe("template_slow")
  expect((await hook("# Hello {{first_name}}")).status).toBe(201)
  const own = new Api(url, key, realmId)
  await own.post("/v2/users", { user: { email: "ada@example.test", first_name: "Ada", password: "correct horse" } })
  const messages = () => root.get("/v2/test/messages?to=ada@example.test&wait=10")
  expect((await messages()).items).toMatchObject([{ subject: "Hi Ada" }])
}
