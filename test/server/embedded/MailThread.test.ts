import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { source, start } from "../ServerProcess.ts"

const key = "root-key-of-a-process-0123456789abcdef"

test.each([
  ["the bundle", undefined],
  ["the source", source]
])("SEC-83: templates are tried, and mails made, by a thread of %s", { timeout: 60_000 }, async (_, file) => {
  const running = await start({ DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: key }, file)
  try {
    const root = new Api(running.url, key)
    const realm = await root.post("/v2/realms", { realm: { name: "Acme" } })
    const hook = (email_template: string) =>
      root.post("/v2/hooks", {
        hook: {
          realm_id: realm.id,
          hook_type: "email",
          event_type: ["user.created"],
          email_subject: "Hi {{first_name}}",
          email_template
        }
      })
    expect((await hook("*a_".repeat(5_000))).member("error_details", 0, "code")).toBe("template_slow")
    expect((await hook("# Hello {{first_name}}")).status).toBe(201)
    const own = new Api(running.url, key, realm.id)
    await own.post("/v2/users", { user: { email: "ada@example.test", first_name: "Ada", password: "correct horse" } })
    const messages = () => root.get("/v2/test/messages?to=ada@example.test&wait=10")
    expect((await messages()).items).toMatchObject([{ subject: "Hi Ada" }])
  } finally {
    await running.stop("SIGKILL")
  }
})
