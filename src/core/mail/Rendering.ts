import { convert } from "html-to-text"
import { Marked, type MarkedExtension } from "marked"
import { escaped } from "#platform/Html"
import { fillHtml, hole, type Place, withoutHoles } from "./HtmlTemplate.ts"
import {
  type MailTemplate,
  type MailValues,
  type MailVariable,
  mailVariables,
  type RenderedMail
} from "./MailTemplate.ts"

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

// It ends before each character that stands for a value, too: an address that does is a link.
const FURTHER_MARKDOWN =
  /^(?:[`~]+|[^`~])(?:(?= {2,}\n)|[^]*?(?:(?=[\\<![`*~_\uFDD0-\uFDEF]|https?:\/\/|ftp:\/\/|www\.|$)|[^ ](?= {2,}\n)))/

const dialect: MarkedExtension = {
  extensions: [
    {
      // An address that stands in the text is a link to itself. Without `start`: that would look through the rest of the
      // text at each of its pieces.
      name: "bareUrl",
      level: "inline",
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

const markdown = new Marked(dialect)

const markdownHtml = (template: string): string => {
  const source = withHoles(template).replaceAll(`<${URL_HOLE}>`, URL_HOLE)
  return markdown.parse(source, { async: false }).replace(/%EF%B7%9[0-9A-F]/g, decodeURIComponent)
}

const textOf = (html: string): string =>
  convert(html, {
    wordwrap: false,
    selectors: [
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      ...["head", "img", "script", "style", "title"].map((selector) => ({ selector, format: "skip" }))
    ]
  })

/**
 * The mail that a template makes of these values, each written so that it stays what it is: a value. Its parsers may take
 * more time than the square of the template, and throw where the nesting has no end: it runs on a thread of its own only.
 */
export const render = (mail: MailTemplate, values: MailValues): RenderedMail => {
  const plain = (text: string) => substituted(text, (name) => oneLine(values[name] ?? ""))
  const subject = oneLine(plain(mail.subject)).trim()
  switch (mail.renderer) {
    case "text":
      return { subject, html: null, text: plain(mail.template) }
    case "html":
      return { subject, html: inHtml(withHoles(mail.template), values), text: null }
    case "html+text": {
      const html = inHtml(withHoles(mail.template), values)
      return { subject, html, text: textOf(html) }
    }
    case "markdown": {
      const html = inHtml(markdownHtml(mail.template), values)
      return { subject, html: page(mail.language ?? "en", subject, html), text: textOf(html) }
    }
  }
}
