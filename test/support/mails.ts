import { Arbitrary, Schema } from "effect"
import type { MailTemplate, MailValues } from "#core/mail/MailTemplate"
import { render } from "#core/mail/Rendering"
import type { EmailRenderer } from "#domain/AppHook"
import { mailVariables } from "#domain/MailVariable"
import { matching, UnicodeText } from "./arbitraries.ts"

/** Values that contain no markup. */
export const harmless: MailValues = {
  code: "123456",
  deletion_at: "31 January 2026",
  email: "ada@example.test",
  event_at: "1 January 2026",
  expires_in: "3 days",
  first_name: "Ada",
  full_name: "Ada Lovelace",
  inviter_name: "Grace Hopper",
  ip: "192.0.2.1",
  org_name: "Pilots",
  app_name: "Acme",
  realm_name: "Acme",
  token: "tpw:abc",
  url: "https://acme.example.test/reset?token=tpw%3Aabc&next=1",
  username: "ada"
}

/** Renders an email in which these values replace the harmless ones. */
export const renderedMail = (
  mail: Omit<MailTemplate, "subject"> & { readonly subject?: string },
  values: Partial<MailValues> = {}
) => render({ subject: "Hello", ...mail }, { ...harmless, ...values })

/** The HTML of a template. */
export const htmlOf = (renderer: EmailRenderer, template: string, values: Partial<MailValues> = {}) =>
  renderedMail({ renderer, template }, values).html ?? ""

/** The text part of a template. */
export const textOf = (renderer: EmailRenderer, template: string, values: Partial<MailValues> = {}) =>
  renderedMail({ renderer, template }, values).text ?? ""

const parts = [
  "{{token}}¦{{ url }}¦{{¦}}¦<¦>¦</p>¦<b>¦<a href=x>¦<script>¦<!--¦-->¦--!>¦]]>¦<![CDATA[¦</title>¦</style>",
  "](¦](https://evil.test)¦[x](javascript:alert(1))¦![¦`¦```¦**¦_¦~~¦#¦> ¦- ¦\\¦|¦\n---\n",
  "https://evil.test¦www.evil.test¦a@evil.test¦mailto:x@evil.test¦javascript:x¦%3C",
  "'¦ onclick=x ¦=¦/>¦&lt;¦&#60;¦&amp;¦&¦;¦\r\n¦\n\n¦\r¦\t¦\0¦\u2028",
  '"¦\uFDD0¦\uFDD7¦\uD800¦\u202E¦é¦日本¦👩‍🚀'
].flatMap((line) => line.split("¦"))

/** Names with which an attacker tries to inject something into an email. */
const hostile = Arbitrary.map(
  Arbitrary.schema(
    Schema.Array(
      Schema.Union([
        Schema.Literals(parts),
        UnicodeText.check(Schema.isMaxLength(6)),
        Schema.String.check(Schema.isMaxLength(6))
      ])
    ).check(Schema.isBetweenLength(1, 6))
  ),
  (chosen) => chosen.join("")
)

const webUrl = Arbitrary.schema(
  matching(
    /^https?:\/\/[a-z\d]{1,8}\.[a-z]{2,4}(?:\/[\w.~!$&'()*+,;=:@-]{0,5}){0,3}(?:\?[\w.~!$&'()*+,;=:@/?-]{0,12})?$/
  )
)

/** Hostile values for all variables except the URL, which the service generates. */
export const hostileValues = Arbitrary.all(
  Object.fromEntries(mailVariables.map((name) => [name, name === "url" ? webUrl : hostile]))
)
