import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../../support/credentials.ts"
import { sentWithLink } from "../../support/invitations.ts"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { visitorAtApp } from "../../support/visitor.ts"

const keyOn = ({ text }: Reply): string =>
  /<code class="key">([^<]*)</.exec(text)?.[1]?.replaceAll(" ", "") ?? "nothing"

describe("a requirement that a login has met (C148)", () => {
  test("isn't required again by the page after a sign-up", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const { visitor } = await visitorAtApp(realm)
    await visitor.open("/signup?next=profile&max_age=0&state=s-1")
    await visitor.fill({ email: "new@example.test", password: PASSWORD })
    expect(visitor.leads.pathname + visitor.leads.search).toBe("/profile?state=s-1")
    const other = await visitorAtApp(realm)
    await other.visitor.open("/signup?next=profile&max_age=0&acr_values=aal2&state=s-2")
    await other.visitor.fill({ email: "newer@example.test", password: PASSWORD })
    expect(statusAndHeading(other.visitor.page)).toEqual([200, "Set up two-step verification"])
    await other.visitor.fill({ code: codeAt(keyOn(other.visitor.page), STARTS_AT) })
    expect(other.visitor.leads.pathname + other.visitor.leads.search).toBe("/profile?state=s-2")
  })

  test("isn't required again by the page after an accepted invitation", async () => {
    const realm = await newRealm()
    for (const accept of ["signup", "login", "visitor"]) {
      const { visitor, email } = await visitorAtApp(realm)
      if (accept === "visitor") await visitor.logIn(email)
      const { link } = await sentWithLink(realm, accept === "signup" ? {} : { email })
      await visitor.open(`${link}&next=profile&max_age=0&state=s-1`)
      await visitor.fill(accept === "visitor" ? {} : { password: PASSWORD })
      expect([accept, visitor.leads.pathname + visitor.leads.search]).toEqual([accept, "/profile?state=s-1"])
      expect(statusAndHeading(await visitor.follow())).toEqual([200, "Your profile"])
    }
  })
})
