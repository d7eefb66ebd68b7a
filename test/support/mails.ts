import fc from "fast-check"
import { type MailTemplate, type MailValues, mailVariables } from "#core/mail/MailTemplate"
import { render } from "#core/mail/Rendering"
import type { EmailRenderer } from "#domain/AppHook"

/** Values that nobody could take for markup. */
export const harmless: MailValues = {
  email: "ada@example.test",
  event_at: "1 January 2026",
  first_name: "Ada",
  full_name: "Ada Lovelace",
  ip: "192.0.2.1",
  realm_name: "Acme",
  token: "tpw:abc",
  url: "https://acme.example.test/reset?token=tpw%3Aabc&next=1",
  username: "ada"
}

/** Renders a mail with these values in place of the harmless ones. */
export const renders = (
  mail: Omit<MailTemplate, "subject"> & { readonly subject?: string },
  values: Partial<MailValues> = {}
) => render({ subject: "Hello", ...mail }, { ...harmless, ...values })

/** The HTML of a template. */
export const htmlOf = (renderer: EmailRenderer, template: string, values: Partial<MailValues> = {}) =>
  renders({ renderer, template }, values).html ?? ""

/** The text part of a template. */
export const textOf = (renderer: EmailRenderer, template: string, values: Partial<MailValues> = {}) =>
  renders({ renderer, template }, values).text ?? ""

const parts = [
  "{{token}}¦{{ url }}¦{{¦}}¦<¦>¦</p>¦<b>¦<a href=x>¦<script>¦<!--¦-->¦--!>¦]]>¦<![CDATA[¦</title>¦</style>",
  "](¦](https://evil.test)¦[x](javascript:alert(1))¦![¦`¦```¦**¦_¦~~¦#¦> ¦- ¦\\¦|¦\n---\n",
  "https://evil.test¦www.evil.test¦a@evil.test¦mailto:x@evil.test¦javascript:x¦%3C",
  "'¦ onclick=x ¦=¦/>¦&lt;¦&#60;¦&amp;¦&¦;¦\r\n¦\n\n¦\r¦\t¦\0¦\u2028",
  '"¦\uFDD0¦\uFDD7¦\uD800¦\u202E¦é¦日本¦👩‍🚀'
].flatMap((line) => line.split("¦"))

/** What somebody may call themselves who wants more from a mail than a name. */
const hostile = fc
  .array(
    fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 6 }), fc.string({ maxLength: 6 })),
    { minLength: 1, maxLength: 6 }
  )
  .map((chosen) => chosen.join(""))

/** Hostile values for all variables but the address, which the service makes itself. */
export const hostileValues = fc.record(
  Object.fromEntries(
    mailVariables.map((name) => [name, name === "url" ? fc.webUrl({ withQueryParameters: true }) : hostile])
  )
)
