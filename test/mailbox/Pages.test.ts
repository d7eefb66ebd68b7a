import { expect, test } from "vitest"
import { createEmailHook, userAwaitingVerification, withMailbox } from "../support/mailbox.ts"

const hostile = `"><img src=x onerror=alert(1)></title><script>alert(2)</script>`
const escaped = "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt;"

test("lists the emails with links, and filters by a part of the recipient", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm({ name: "Harbour" })
    const [one, two] = [await userAwaitingVerification(realm), await userAwaitingVerification(realm)]
    await advance("1 minute")
    const [mail] = (await here.get(`/v2/test/messages?to=${one}`)).items
    const page = await here.get(`/mailbox?to=${realm.id}`)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.text).toContain(`<a href="/mailbox/${String(mail?.["id"])}">`)
    for (const text of [one, two, "Confirm your email address", "Harbour", "Jan 1, 2026"]) {
      expect(page.text).toContain(text)
    }
    const filtered = await here.get(`/mailbox?to=${encodeURIComponent(one.toUpperCase().slice(0, -5))}`)
    expect(filtered.text).toContain(one)
    expect(filtered.text).not.toContain(two)
    const none = await here.get(`/mailbox?to=${encodeURIComponent(hostile)}`)
    expect(none.status).toBe(200)
    expect(none.text).toContain(escaped)
    expect(none.text).not.toContain("<img")
    expect((await here.get("/mailbox?to=%00")).status).toBe(200)
  }))

test("explains how emails get into an empty mailbox, and shows fifty emails per page", () =>
  withMailbox(async ({ given, here, advance }) => {
    expect((await here.get("/mailbox?after=ml_0")).text).toContain("email_verification")
    expect((await here.get("/mailbox")).status).toBe(200)
    const realm = await given.realm()
    await Promise.all(Array.from({ length: 51 }, () => userAwaitingVerification(realm)))
    await advance("1 minute")
    const first = await here.get(`/mailbox?to=${realm.id}`)
    expect(first.text.match(/<li>/g)).toHaveLength(50)
    const older = /href="(\/mailbox\?to=[^"]*after=ml_[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const second = await here.get(older)
    expect(second.text.match(/<li>/g)).toHaveLength(1)
    expect(second.text).toContain(`href="/mailbox?to=${realm.id}"`)
  }))

test("shows the pages in the reader's language", () =>
  withMailbox(async ({ here }) => {
    const page = await here.call("GET", "/mailbox?after=ml_0", { headers: { "accept-language": "es-MX" } })
    expect(page.headers.get("content-language")).toBe("es")
    expect(page.text).toContain('<html lang="es">')
    expect(page.text).toContain("Buzón")
  }))

test("shows hostile names and markup as text that can't leave its frame", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    const markup = `<!doctype html><p onclick="alert(3)">Hi</p><script>parent.location = "https://evil.test"</script>`
    await createEmailHook(realm, {
      email_renderer: "html",
      email_from: "shop@example.test",
      email_from_name: hostile,
      email_subject: `${hostile} {{first_name}}`,
      email_template: `${markup}<a href="https://shop.test/?a=1&amp;b=2">Go</a><a href="javascript:alert(4)">Do not</a>`
    })
    const user = await realm.user({ first_name: hostile })
    await advance("1 minute")
    const [mail] = (await here.get(`/v2/test/messages?to=${user.string("email")}`)).items
    const path = `/mailbox/${String(mail?.["id"])}`
    for (const address of [
      `/mailbox?to=${user.string("email")}`,
      path,
      `${path}?view=text`,
      `${path}?view=source`,
      `${path}?view=x`
    ]) {
      const { headers, text } = await here.get(address)
      expect(text).toContain(escaped)
      expect(text).not.toMatch(/<img|<script|<p onclick|href="javascript/)
      const policy = headers.get("content-security-policy") ?? ""
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; frame-src 'self';/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain("script-src")
      expect(policy).not.toContain("unsafe")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("cache-control")).toBe("no-store")
    }
    const page = (await here.get(path)).text
    expect(page).toContain(
      `<iframe class="desktop" src="${path}/html?theme=light" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"`
    )
    expect(page).toContain('<a href="https://shop.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">')

    const frame = await here.get(`${path}/html`)
    expect(frame.text.startsWith('<!doctype html><base target="_blank"><p onclick')).toBe(true)
    expect(frame.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data: http://*.local.localhost:3000; form-action 'none'; base-uri 'none'; " +
        "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
    )
    expect(frame.headers.get("x-content-type-options")).toBe("nosniff")
    expect(frame.headers.get("cache-control")).toBe("no-store")
    expect(frame.headers.get("referrer-policy")).toBe("no-referrer")
  }))

test("shows an email at the width of a phone and in the dark theme without scripts", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    await advance("1 minute")
    const [mail] = (await here.get(`/v2/test/messages?to=${email}`)).items
    const path = `/mailbox/${String(mail?.["id"])}`
    const page = await here.get(`${path}?view=html&width=phone&theme=dark`)
    expect(page.text).toContain(`<iframe class="phone" src="${path}/html?theme=dark"`)
    expect(page.text).toContain(`<a href="${path}?view=html&amp;width=desktop&amp;theme=dark">Desktop</a>`)
    expect((await here.get(`${path}/html?theme=dark`)).text).toContain("@media all {")
    expect((await here.get(`${path}/html?theme=x`)).text).toContain("@media not all {")
  }))

test("shows an email as HTML if possible, or else as text, and always as source", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    await advance("1 minute")
    const [mail] = (await here.get(`/v2/test/messages?to=${email}`)).items
    const path = `/mailbox/${String(mail?.["id"])}`
    expect((await here.get(path)).text).toContain("<iframe")
    const text = (await here.get(`${path}?view=text`)).text
    expect(text).toContain('aria-current="page">Plain text</a>')
    expect(text).toContain("Please confirm that")
    expect(text).not.toContain("<iframe")
    expect((await here.get(`${path}?view=source`)).text).toContain("Content-Transfer-Encoding: quoted-printable")
    const gone = await here.get("/mailbox/ml_00000000000000000000000000")
    expect([gone.status, gone.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    expect((await here.get("/mailbox/ml_00000000000000000000000000/html")).status).toBe(404)
  }))
