import { convert } from "html-to-text"
import { Marked, type MarkedExtension } from "marked"
import { escapeHtml } from "#platform/Html"
import { fillHtml, type HtmlContext, placeholder, stripPlaceholders } from "./HtmlTemplate.ts"
import {
  type MailTemplate,
  type MailValues,
  type MailVariable,
  mailVariables,
  type RenderedMail
} from "./MailTemplate.ts"

const VARIABLE = new RegExp(`\\{\\{ {0,9}(${mailVariables.join("|")}) {0,9}\\}\\}`, "g")

// Line breaks, control characters, and bidirectional overrides.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

const oneLine = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, " ")

/** Narrows a name that the expression has matched. */
const isVariable = (name: string): name is MailVariable => mailVariables.some((known) => known === name)

/** Replaces the variables of a text in one pass, so that variables inside values are not replaced. */
const substitute = (text: string, write: (name: MailVariable) => string): string =>
  text.replace(VARIABLE, (whole, name: string) => (isVariable(name) ? write(name) : whole))

/** Encodes a value as a part of a URL. Letters, digits and `-_.~` stay. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)

const withPlaceholders = (template: string): string =>
  substitute(stripPlaceholders(template), (name) => placeholder(mailVariables.indexOf(name)))

const URL_PLACEHOLDER = placeholder(mailVariables.indexOf("url"))

const fillValues = (html: string, values: MailValues): string => {
  const byPlaceholder = new Map(mailVariables.map((name, index) => [placeholder(index), oneLine(values[name] ?? "")]))
  return fillHtml(html, (each, place: HtmlContext) => {
    const value = byPlaceholder.get(each) ?? ""
    if (place === "text" || place === "attribute") return escapeHtml(value)
    if (place === "whole link" && each === URL_PLACEHOLDER && isWebUrl(value)) return escapeHtml(value)
    return place === "mailto" ? percentEncode(value).replace("%40", "@") : percentEncode(value)
  })
}

/** The document around the HTML of a mail: limited in width, in the reader's light or dark colors. */
const page = (language: string, title: string, body: string): string => `<!doctype html>
<html lang="${escapeHtml(language)}" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin: 0; padding: 24px">
<div role="article" style="max-width: 36em; margin: 0 auto; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: break-word">
${body}</div>
</body>
</html>
`

// Stops before placeholders too: a URL placeholder is a link.
const FURTHER_MARKDOWN =
  /^(?:[`~]+|[^`~])(?:(?= {2,}\n)|[^]*?(?:(?=[\\<![`*~_\uFDD0-\uFDEF]|https?:\/\/|ftp:\/\/|www\.|$)|[^ ](?= {2,}\n)))/

const dialect: MarkedExtension = {
  extensions: [
    {
      // A URL placeholder in text links to itself. There is no `start` function, since it would scan the rest of the
      // text for each token.
      name: "bareUrl",
      level: "inline",
      tokenizer(source) {
        if (!source.startsWith(URL_PLACEHOLDER) || this.lexer.state.inLink) return undefined
        const text = { type: "text", raw: URL_PLACEHOLDER, text: URL_PLACEHOLDER }
        return {
          type: "link",
          raw: URL_PLACEHOLDER,
          href: URL_PLACEHOLDER,
          title: null,
          text: URL_PLACEHOLDER,
          tokens: [text]
        }
      }
    }
  ],
  tokenizer: {
    // E-mail addresses are not turned into links: finding them takes quadratic time.
    url: (source) => (/^(?:https?:|ftp:|www\.)/i.test(source) ? false : undefined),
    inlineText(source) {
      const raw = FURTHER_MARKDOWN.exec(source)?.[0]
      return raw === undefined ? undefined : { type: "text", raw, text: raw, escaped: this.lexer.state.inRawBlock }
    }
  }
}

const markdown = new Marked(dialect)

const markdownHtml = (template: string): string => {
  const source = withPlaceholders(template).replaceAll(`<${URL_PLACEHOLDER}>`, URL_PLACEHOLDER)
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
 * Renders a template with values, each encoded for its context. The parsers may take more than quadratic time, and
 * throw on deep nesting, so this runs on a separate thread only.
 */
export const render = (mail: MailTemplate, values: MailValues): RenderedMail => {
  const plain = (text: string) => substitute(text, (name) => oneLine(values[name] ?? ""))
  const subject = oneLine(plain(mail.subject)).trim()
  switch (mail.renderer) {
    case "text":
      return { subject, html: null, text: plain(mail.template) }
    case "html":
      return { subject, html: fillValues(withPlaceholders(mail.template), values), text: null }
    case "html+text": {
      const html = fillValues(withPlaceholders(mail.template), values)
      return { subject, html, text: textOf(html) }
    }
    case "markdown": {
      const html = fillValues(markdownHtml(mail.template), values)
      return { subject, html: page(mail.language ?? "en", subject, html), text: textOf(html) }
    }
  }
}
