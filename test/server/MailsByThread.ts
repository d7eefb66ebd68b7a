import { expect } from "vitest"
import { Api, type Reply } from "#testing/Api"

/** Expects that a slow template is rejected and that an email is sent. The process renders both on a separate thread. */
export const expectMailsByThread = async (url: string, key: string, realmId: string): Promise<void> => {
  const root = new Api(url, key)
  /** Creates a hook, and repeats the request while the machine is too busy to try the template. */
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
