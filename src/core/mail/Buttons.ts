import type { FormatCallback, SelectorDefinition } from "html-to-text"
import type { MarkedExtension, Token, Tokens } from "marked"
import { buttonNote } from "./DefaultMails.ts"
import type { MailLook } from "./MailLook.ts"

// Class names that templates of realms won't use by accident.
const BUTTON = "sallyport-button"
const NOTE_CLASS = "sallyport-button-note"

const noteStyle = "margin-top: 24px; border-top: 1px solid rgba(128, 128, 128, 0.3); padding-top: 8px; font-size: 14px"

const button = (link: string, { light: { fill, onFill }, radius: { control } }: MailLook): string => {
  const corners = `border-radius: ${control}px`
  const linkStyle = `display: inline-block; padding: 12px 24px; border: 1px solid ${fill}; ${corners}; background: ${fill}; color: ${onFill}; font-weight: 600; text-decoration: none`
  return `<table role="presentation" border="0" cellpadding="0" cellspacing="0" style="margin: 24px 0"><tr><td bgcolor="${fill}" class="sallyport-fill" style="${corners}">${link.replace("<a ", `<a class="${BUTTON}" style="${linkStyle}" `)}</td></tr></table>
`
}

const note = (lead: string | undefined, link: string): string =>
  `<div class="${NOTE_CLASS}" style="${noteStyle}"><p>${lead === undefined ? "" : `${lead}<br>`}${link.replace("<a ", `<a style="word-break: break-all" `)}</p></div>
`

const isLink = (token: Token): token is Tokens.Link => token.type === "link"

/** Returns the link of a paragraph if it is the paragraph's only content and its title is `button`. */
const buttonOf = ({ tokens }: Tokens.Paragraph): Tokens.Link | undefined => {
  const [only, ...others] = tokens
  if (only === undefined || others.length > 0 || !isLink(only)) return undefined
  return only.title === "button" ? only : undefined
}

/** A Markdown extension that renders buttons, and a note for each rendered button, with its link as text. */
export interface Buttons {
  readonly extension: MarkedExtension
  readonly notes: ReadonlyArray<string>
}

/**
 * Renders a paragraph as a button if it consists only of a link titled `button`. The button is a table, because all mail
 * clients display tables alike. For clients that don't show the button, the plain link is added to `notes`, at the end of the
 * email.
 */
export const buttonsIn = (language: string, look: MailLook): Buttons => {
  const notes: Array<string> = []
  const extension: MarkedExtension = {
    renderer: {
      paragraph(paragraph) {
        const found = buttonOf(paragraph)
        if (found === undefined) return false
        const link = { ...found, title: null }
        const linkText: Tokens.Text = { type: "text", raw: link.href, text: link.href }
        notes.push(note(buttonNote(language), this.parser.parseInline([{ ...link, tokens: [linkText] }])))
        return button(this.parser.parseInline([link]), look)
      }
    }
  }
  return { extension, notes }
}

/** Formats a button for the text part of an email: the label, and below it the link. */
export const buttonText: FormatCallback = ({ attribs, children }, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  walk(children, builder)
  builder.addInline(":")
  builder.addLineBreak()
  builder.addInline(attribs?.["href"] ?? "", { noWordTransform: true })
  builder.closeBlock({ trailingLineBreaks: 2 })
}

/** Selectors for the text part: buttons are formatted by `buttonText`, and their notes are skipped. */
export const buttonSelectors: Array<SelectorDefinition> = [
  { selector: `a.${BUTTON}`, format: "buttonText" },
  { selector: `div.${NOTE_CLASS}`, format: "skip" }
]
