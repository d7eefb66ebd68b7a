import { describe, expect, test } from "vitest"
import { defaultMail } from "#core/mail/DefaultMails"
import { render } from "#core/mail/Rendering"
import { isAccountMail } from "#domain/AccountNotice"
import { emailRenderers } from "#domain/AppHook"
import { defaultMails, EMAIL_CHANGE_NOTICE } from "#domain/DefaultMail"
import { mailVariables } from "#domain/MailVariable"
import { harmless, htmlOf, renderedMail, textOf } from "../support/mails.ts"

describe("email templates", () => {
  test("produce the parts that their renderer supports", async () => {
    const parts = emailRenderers.map(async (renderer) => {
      const mail = await renderedMail({ renderer, template: "Hello" })
      return [renderer, mail.html !== null, mail.text !== null]
    })
    expect(await Promise.all(parts)).toEqual([
      ["html", true, false],
      ["html+text", true, true],
      ["markdown", true, true],
      ["text", false, true]
    ])
  })

  test("replace all variables, with or without spaces inside the braces", async () => {
    const template = `${mailVariables.map((name) => `{{${name}}}|{{ ${name} }}`).join("\n")}\n{{org}} {{ URL }} {url} {{url`
    const expected = mailVariables.map((name) => `${harmless[name]}|${harmless[name]}`)
    expect(await textOf("text", template)).toBe(`${expected.join("\n")}\n{{org}} {{ URL }} {url} {{url`)
  })

  test("render missing values as empty", async () => {
    expect(await textOf("text", "[{{first_name}}]", { first_name: null })).toBe("[]")
    expect(await htmlOf("html", `<a href="{{url}}">{{url}}</a>`, { url: null })).toBe(`<a href=""></a>`)
  })

  test("make a link to {{url}} work in every notation", async () => {
    const url = `https://a.test/x?a=1&b='2'#c`
    const link = `<a href="https://a.test/x?a=1&amp;b=&#39;2&#39;#c">`
    for (const template of [
      "[go]({{url}})",
      "[go][1]\n\n[1]: {{url}}",
      '<a href="{{url}}">go</a>',
      "<a href={{ url }}>go</a>"
    ]) {
      const mail = await renderedMail({ renderer: "markdown", template }, { url })
      expect(mail.html).toContain(`${link}go</a>`)
      expect(mail.text).toBe(`go <${url}>`)
    }
    for (const template of ["{{url}}", "<{{url}}>", "[{{url}}]({{url}})", '<a href="{{url}}">{{url}}</a>']) {
      const mail = await renderedMail({ renderer: "markdown", template }, { url })
      expect(mail.html).toContain(`${link}https://a.test/x?a=1&amp;b=&#39;2&#39;#c</a>`)
      expect(mail.html?.match(/<a /g)).toHaveLength(1)
      expect(mail.text).toBe(url)
    }
  })

  test("preserve the case of a token in headings of the text part", async () => {
    expect(await textOf("markdown", "# {{token}}\n\n| {{token}} |\n|---|", { token: "aBcD" })).toBe("aBcD\n\naBcD")
    expect(await textOf("html+text", "<h2>{{token}}</h2><style>p{}</style>", { token: "aBcD" })).toBe("aBcD")
  })

  test("render Markdown as a complete HTML document with its language", async () => {
    const { html: document } = await renderedMail({
      renderer: "markdown",
      subject: "<Hi>",
      template: "x",
      language: "es"
    })
    expect(document).toMatch(/^<!doctype html>\n<html lang="es" style="color-scheme: light dark">/)
    expect(document).toContain('<meta charset="utf-8">')
    expect(document).toContain("<title>&lt;Hi&gt;</title>")
  })

  test("SEC-80: are rendered or rejected quickly if expensive to parse or deeply nested", () => {
    const long = ["*a", "_a", "a.", "[a](", "![[]()", ">", "<div>", "<a ", "<!--[if-->", "<", "`a", "&#", '<p a="'].map(
      (part) => part.repeat(Math.floor(20_000 / part.length))
    )
    for (const template of [...long, `${"a.".repeat(10_000)}@`]) {
      for (const renderer of ["markdown", "html+text"] as const) {
        try {
          render({ renderer, subject: "", template }, harmless)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }
    }
  })
})

describe("buttons", () => {
  const url = "https://a.test/x?a=1&b='2'"

  test("render a lone link with the title “button”, and repeat its URL as text at the end", async () => {
    const mail = await renderedMail(
      { renderer: "markdown", template: 'Hi,\n\n[Go]({{url}} "button")\n\nBye.' },
      { url }
    )
    const href = "https://a.test/x?a=1&amp;b=&#39;2&#39;"
    expect(mail.html).toMatch(
      /<td bgcolor="#[\da-f]{6}"[^>]*><a class="sallyport-button" style="[^"]+" href="[^"]+">Go</
    )
    expect(mail.html?.split(`href="${href}"`)).toHaveLength(3)
    expect(mail.html).not.toContain("title=")
    expect(mail.html).toMatch(/Bye\.<\/p>\n<div class="sallyport-button-note"/)
    expect(mail.html).toContain(
      `If the button doesn't work, open this link:<br><a style="word-break: break-all" href="${href}">${href}</a>`
    )
    expect(mail.text).toBe(`Hi,\n\nGo:\n${url}\n\nBye.`)
  })

  test.each([
    ["es", "Si el botón no funciona, abra este enlace:<br><a "],
    ["de", '<p><a style="word-break: break-all" href="https://a.test/">']
  ])("introduce the repeated link in %s", async (language, expected) => {
    const template = '[Los](https://a.test/ "button")'
    const { html } = await renderedMail({ renderer: "markdown", template, language })
    expect(html).toContain(expected)
    expect(html).not.toContain("If the button")
  })

  test("leave other links unchanged", async () => {
    for (const template of ['[go]({{url}} "home")', 'so [go]({{url}} "button")', "[go]({{url}})"]) {
      const { html, text } = await renderedMail({ renderer: "markdown", template }, { url })
      expect(html).not.toContain("sallyport-button")
      expect(text).toContain(`go <${url}>`)
    }
  })
})

describe("default emails", () => {
  const always = ["app_name", "url", "email", "expires_in"]
  const names = ["inviter_name", "org_name"]
  const usedBy = (type: string) => {
    if (isAccountMail(type)) return [...always, "event_at", "ip"]
    if (type === "user.email_code.requested") return [...always, "code"]
    return type.startsWith("invitation.") ? [...always, ...names] : always
  }
  const known = [true, false].flatMap((inviter) => [true, false].map((org) => ({ inviter, org })))

  test.each(defaultMails)("exist for %s in English and Spanish, with one link and the realm's name", (type) => {
    const mails = [defaultMail(type, "en"), defaultMail(type, "es")]
    for (const mail of mails) {
      expect(mail?.subject).toContain("{{app_name}}")
      expect(mail?.template).toContain("{{app_name}}")
      expect(mail?.template.match(/\]\(\{\{url\}\} "button"\)/g)).toHaveLength(1)
      expect(mail?.template.match(/\{\{url\}\}/g)).toHaveLength(1)
      const used = [...(mail?.template ?? "").matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      expect(used.filter((name) => !usedBy(type).includes(name ?? ""))).toEqual([])
    }
    expect(mails[0]).not.toEqual(mails[1])
  })

  test("name the inviter and the org only if known", () => {
    for (const type of defaultMails) {
      for (const locale of ["en", "es"]) {
        for (const each of known) {
          const { subject, template } = defaultMail(type, locale, each)
          const isInvitation = type.startsWith("invitation.") && type !== "invitation.preverify.invited"
          const namesInviter = isInvitation && type !== "invitation.request.invited"
          expect([type, template.includes("{{inviter_name}}")]).toEqual([type, each.inviter && namesInviter])
          expect([type, template.includes("{{org_name}}")]).toEqual([type, each.org && isInvitation])
          expect([type, subject.includes("{{inviter_name}}")]).toEqual([type, each.inviter && namesInviter])
          expect([type, subject.includes("{{org_name}}")]).toEqual([type, each.org && isInvitation])
        }
      }
    }
  })

  test("state how long their link works, unless the link never expires", () => {
    for (const type of defaultMails) {
      const says = defaultMail(type, "en").template.includes("{{expires_in}}")
      expect([type, says]).toEqual([type, type !== EMAIL_CHANGE_NOTICE && !isAccountMail(type)])
    }
  })

  test("use the locale's language and fall back to English", () => {
    const of = (locale: string | null) => defaultMail("user.password.resetting", locale)?.subject.split(" ")[0]
    expect(["es", "es-MX", "ES_es", "en-GB", "de", "est", "", null].map(of)).toEqual([
      "Restablezca",
      "Restablezca",
      "Restablezca",
      ...Array.from({ length: 5 }, () => "Reset")
    ])
  })
})
