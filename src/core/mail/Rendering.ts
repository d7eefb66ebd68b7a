import { Data, Effect } from "effect"
import type { MarkedExtension } from "marked"
import type { EmailRenderer } from "#domain/AppHook"
import { escaped } from "../Html.ts"
import { fillHtml, hole, type Place, withoutHoles } from "./HtmlTemplate.ts"

/** The variables of mail templates, all there are (decision 38). */
export const mailVariables = [
  "email",
  "event_at",
  "first_name",
  "full_name",
  "ip",
  "realm_name",
  "token",
  "url",
  "username"
] as const

export type MailVariable = (typeof mailVariables)[number]

export type MailValues = { readonly [Name in MailVariable]: string | null }

/** What a mail is made from: trusted texts, in which variables stand as `{{name}}`. */
export interface MailTemplate {
  readonly renderer: EmailRenderer
  readonly subject: string
  readonly template: string
  /** Of the template, for who reads the mail aloud. Default: en. */
  readonly language?: string
}

export interface RenderedMail {
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
}

/** The template is nested so deeply that it can't be read. */
export class MailUnrenderable extends Data.TaggedError("MailUnrenderable") {}

const VARIABLE = new RegExp(`\\{\\{ {0,9}(${mailVariables.join("|")}) {0,9}\\}\\}`, "g")

// Line breaks, controls, and what turns the direction of the text after it.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

const oneLine = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, " ")

/** A variable as a regular expression has found it. */
const isVariable = (name: string): name is MailVariable => mailVariables.some((known) => known === name)

/** A text with its variables replaced, in one pass: what is in a value stays as it is. */
const substituted = (text: string, write: (name: MailVariable) => string): string =>
  text.replace(VARIABLE, (whole, name: string) => (isVariable(name) ? write(name) : whole))

/** As a part of an address: letters, digits and `-_.~` stay. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)

const withHoles = (template: string): string =>
  substituted(withoutHoles(template), (name) => hole(mailVariables.indexOf(name)))

const URL_HOLE = hole(mailVariables.indexOf("url"))

const inHtml = (html: string, values: MailValues): string => {
  const byHole = new Map(mailVariables.map((name, index) => [hole(index), oneLine(values[name] ?? "")]))
  return fillHtml(html, (each, place: Place) => {
    const value = byHole.get(each) ?? ""
    if (place === "text" || place === "attribute") return escaped(value)
    if (place === "whole link" && each === URL_HOLE && isWebUrl(value)) return escaped(value)
    return place === "mailto" ? percentEncoded(value).replace("%40", "@") : percentEncoded(value)
  })
}

/** A document around the HTML of a mail: narrow enough to read, in the reader's own light or dark colours. */
const page = (language: string, title: string, body: string): string => `<!doctype html>
<html lang="${escaped(language)}" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
</head>
<body style="margin: 0; padding: 24px">
<div role="article" style="max-width: 36em; margin: 0 auto; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: break-word">
${body}</div>
</body>
</html>
`

const FURTHER_MARKDOWN =
  /^(?:[`~]+|[^`~])(?:(?= {2,}\n)|[^]*?(?:(?=[\\<![`*~_]|https?:\/\/|ftp:\/\/|www\.|$)|[^ ](?= {2,}\n)))/

const dialect: MarkedExtension = {
  extensions: [
    {
      // An address that stands in the text is a link to itself.
      name: "bareUrl",
      level: "inline",
      start: (source) => source.indexOf(URL_HOLE),
      tokenizer(source) {
        if (!source.startsWith(URL_HOLE) || this.lexer.state.inLink) return undefined
        const text = { type: "text", raw: URL_HOLE, text: URL_HOLE }
        return { type: "link", raw: URL_HOLE, href: URL_HOLE, title: null, text: URL_HOLE, tokens: [text] }
      }
    }
  ],
  tokenizer: {
    // Without links to bare e-mail addresses: to look for them takes time that grows with the square of the text.
    url: (source) => (/^(?:https?:|ftp:|www\.)/i.test(source) ? false : undefined),
    inlineText(source) {
      const raw = FURTHER_MARKDOWN.exec(source)?.[0]
      return raw === undefined ? undefined : { type: "text", raw, text: raw, escaped: this.lexer.state.inRawBlock }
    }
  }
}

/** What a parser makes of an operator's template: it gives up only where the nesting has no end. */
const parsed = (parse: () => string) => Effect.try({ try: parse, catch: () => new MailUnrenderable() })

// What only mails are made with is loaded by the first of them.

const markdownHtml = Effect.fnUntraced(function* (template: string) {
  const { Marked } = yield* Effect.promise(() => import("marked"))
  const source = withHoles(template).replaceAll(`<${URL_HOLE}>`, URL_HOLE)
  const html = yield* parsed(() => new Marked(dialect).parse(source, { async: false }))
  return html.replace(/%EF%B7%9[0-9A-F]/g, decodeURIComponent)
})

const textOf = Effect.fnUntraced(function* (html: string) {
  const { convert } = yield* Effect.promise(() => import("html-to-text"))
  return yield* parsed(() =>
    convert(html, {
      wordwrap: false,
      selectors: [
        { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
        ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
        ...["head", "img", "script", "style", "title"].map((selector) => ({ selector, format: "skip" }))
      ]
    })
  )
})

/** The mail that a template makes of these values, each written so that it stays what it is: a value. */
export const render = Effect.fn("Rendering.render")(function* (mail: MailTemplate, values: MailValues) {
  const plain = (text: string) => substituted(text, (name) => oneLine(values[name] ?? ""))
  const subject = oneLine(plain(mail.subject)).trim()
  const rendered = (html: string | null, text: string | null): RenderedMail => ({ subject, html, text })
  switch (mail.renderer) {
    case "text":
      return rendered(null, plain(mail.template))
    case "html":
      return rendered(inHtml(withHoles(mail.template), values), null)
    case "html+text": {
      const html = inHtml(withHoles(mail.template), values)
      return rendered(html, yield* textOf(html))
    }
    case "markdown": {
      const html = inHtml(yield* markdownHtml(mail.template), values)
      return rendered(page(mail.language ?? "en", subject, html), yield* textOf(html))
    }
  }
})
