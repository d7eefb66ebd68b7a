import { convert } from "html-to-text"
import { Marked, type MarkedExtension } from "marked"
import { type MailVariable, mailVariables } from "#domain/MailVariable"
import { escapeHtml } from "#platform/Html"
import { buttonSelectors, buttonsIn, buttonText } from "./Buttons.ts"
import { fillHtml, type HtmlContext, placeholder, stripPlaceholders } from "./HtmlTemplate.ts"
import { mailDocument } from "./MailDocument.ts"
import { defaultMailLook, type MailLook } from "./MailLook.ts"
import type { MailTemplate, MailValues, RenderedMail } from "./MailTemplate.ts"

const VARIABLE = new RegExp(`\\{\\{ {0,9}(${mailVariables.join("|")}) {0,9}\\}\\}`, "g")

// Matches line breaks, control characters and bidirectional overrides.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

const oneLine = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, " ")

/** Narrows the type of a name that `VARIABLE` has matched. */
const isVariable = (name: string): name is MailVariable => mailVariables.some((known) => known === name)

/** Replaces the variables in a text in one pass, so that variables inside values are not replaced. */
const substitute = (text: string, write: (name: MailVariable) => string): string =>
  text.replace(VARIABLE, (whole, name: string) => (isVariable(name) ? write(name) : whole))

/** Encodes a value as a part of a URL. Letters, digits and `-_.~` are not encoded. */
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

// Also stops before placeholders, because the placeholder of a URL is parsed as a link.
const FURTHER_MARKDOWN =
  /^(?:[`~]+|[^`~])(?:(?= {2,}\n)|[^]*?(?:(?=[\\<![`*~_\uFDD0-\uFDEF]|https?:\/\/|ftp:\/\/|www\.|$)|[^ ](?= {2,}\n)))/

const dialect: MarkedExtension = {
  extensions: [
    {
      // Turns a URL placeholder in the text into a link to that URL. A `start` function would scan the rest of the text for
      // each token, so there is none.
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
    // Email addresses are not turned into links, because finding them takes quadratic time.
    url: (source) => (/^(?:https?:|ftp:|www\.)/i.test(source) ? false : undefined),
    inlineText(source) {
      const raw = FURTHER_MARKDOWN.exec(source)?.[0]
      return raw === undefined ? undefined : { type: "text", raw, text: raw, escaped: this.lexer.state.inRawBlock }
    }
  }
}

const markdownHtml = (template: string, language: string, look: MailLook): string => {
  const source = withPlaceholders(template).replaceAll(`<${URL_PLACEHOLDER}>`, URL_PLACEHOLDER)
  const { extension, notes } = buttonsIn(language, look)
  const html = new Marked(dialect, extension).parse(source, { async: false })
  return [html, ...notes].join("").replace(/%EF%B7%9[0-9A-F]/g, decodeURIComponent)
}

const textOf = (html: string): string =>
  convert(html, {
    wordwrap: false,
    formatters: { buttonText },
    selectors: [
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
      ...buttonSelectors,
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      ...["head", "img", "script", "style", "title"].map((selector) => ({ selector, format: "skip" }))
    ]
  })

/**
 * Renders a template, and encodes each value for its context. Call it only on a separate thread. The parsers may take more
 * than quadratic time, and they throw on deep nesting.
 */
export const render = (mail: MailTemplate, values: MailValues): RenderedMail => {
  const plain = (text: string) => substitute(text, (name) => oneLine(values[name] ?? ""))
  const subject = oneLine(plain(mail.subject)).trim()
  const { language = "en", look = defaultMailLook } = mail
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
      const html = fillValues(markdownHtml(mail.template, language, look), values)
      return { subject, html: mailDocument(language, subject, html, look), text: textOf(html) }
    }
  }
}
