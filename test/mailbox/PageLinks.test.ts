import { expect, test } from "vitest"
import { Browser } from "../support/browser.ts"
import { withMailbox } from "../support/mailbox.ts"
import { submitTo } from "../support/operators.ts"
import { visibleText } from "../support/pages.ts"
import { service } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"

test("pages that announce an email link to the mailbox, if the service stores emails there", () =>
  withMailbox(async ({ given, transport }) => {
    const { visitor, email } = await visitorAtApp(await given.realm())
    await visitor.open("/forgot")
    const page = await visitor.fill({ name: email })
    expect(visibleText(page)).toContain("This service doesn't send emails.")
    expect(page.text).toMatch(/<a href="http[^"]*\/mailbox">Open the mailbox<\/a>/)
    expect(visibleText(await visitor.open("/forgot"))).not.toContain("mailbox")
    const asked = await submitTo(new Browser(transport), "forgot", { name: email })
    expect(visibleText(asked)).toContain("This service doesn't send emails.")
    const sending = await visitorAtApp(await (await service()).given.realm())
    await sending.visitor.open("/forgot")
    expect(visibleText(await sending.visitor.fill({ name: sending.email }))).not.toContain("mailbox")
  }))
