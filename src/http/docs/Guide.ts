import { Marked, type Tokens } from "marked"
import { escapeHtml, Html, html } from "#platform/Html"
import { pageDocument } from "../pages/Layout.ts"
import { codeBlock } from "./CodeBlock.ts"
import { guideAt, INDEX } from "./GuideFiles.ts"
import { guideStyle } from "./GuideStyle.ts"
import { docsHeader } from "./Header.ts"
import { scriptUrl } from "./Script.ts"

/** A guide in a list: its name in the URL, and its title. */
export interface GuideLink {
  readonly name: string
  readonly title: string
}

/** A group of guides. */
export interface GuideGroup {
  readonly title: string
  readonly guides: ReadonlyArray<GuideLink>
}

/** The path of a guide. */
export const pathOf = (name: string): string => (name === INDEX ? "/docs/guides" : `/docs/guides/${name}`)

/** Returns the caption of a code block, derived from its language and the note after it, or undefined if it needs none. */
const captionOf = (language: string, note: string): string | undefined => {
  if (note === "terminal") return language === "text" ? "Output in that terminal" : "In a separate terminal"
  if (note !== "" && note !== "service") return note
  return language === "json" || language === "text" ? "Output" : undefined
}

const code = ({ text, lang = "" }: Tokens.Code): string => {
  const [language = "", note = ""] = lang.split(" ", 2)
  const isOutput = language === "json" || language === "text"
  return codeBlock({ language, code: text, caption: captionOf(language, note), isOutput }).markup
}

/** Returns the ID of a heading, derived from its text as on GitHub. */
export const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(/\s+/g, "-")

/**
 * Returns the URL on this service that a guide's link points to, or undefined if it points to a repository file that is not
 * served.
 */
const targetOf = (href: string): string | undefined => {
  if (/^(https?:|\/|#)/.test(href)) return href
  const [path = "", fragment] = href.split("#", 2)
  const name = guideAt(path)
  return name === undefined ? undefined : `${pathOf(name)}${fragment === undefined ? "" : `#${fragment}`}`
}

const marked = new Marked({
  renderer: {
    code,
    html: () => "",
    heading({ tokens, depth, text }) {
      const inner = this.parser.parseInline(tokens)
      const id = escapeHtml(idOf(text))
      return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`
    },
    link({ href, tokens }) {
      const target = targetOf(href)
      const inner = this.parser.parseInline(tokens)
      return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
    },
    table(token) {
      // On a narrow screen, rows with more than two cells become cards, and each cell shows its heading.
      const labels = token.header.map(({ text }) => ` data-label="${escapeHtml(text)}"`)
      const row = (tag: string, cells: ReadonlyArray<Tokens.TableCell>, attributes: ReadonlyArray<string>) =>
        `<tr>${cells.map(({ tokens }, at) => `<${tag}${attributes[at] ?? ""}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`
      const isWide = token.header.length > 2
      const rows = token.rows.map((cells) => row("td", cells, isWide ? labels : [])).join("\n")
      const head = row("th", token.header, [])
      return `<div class="table${isWide ? " wide" : ""}" tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>\n`
    }
  }
})

/** Returns the groups of guides in the index page, from its headings and the links below them. */
export const groupsIn = (index: string): ReadonlyArray<GuideGroup> =>
  index
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf("\n")).trim(),
      guides: [...part.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].flatMap(([, title = "", path = ""]) => {
        const name = guideAt(path)
        return name === undefined ? [] : [{ name, title }]
      })
    }))

const navigation = (
  groups: ReadonlyArray<GuideGroup>,
  current: string
): Html => html`<nav class="guides${current === INDEX && Html.of(" listed")}" aria-label="Guides">
${groups.map(
  ({ title, guides }) => html`<h2>${title}</h2>
<ul>${guides.map(({ name, title }) => html`<li><a href="${pathOf(name)}"${name === current ? Html.of(' aria-current="page"') : undefined}>${title}</a></li>`)}</ul>
`
)}</nav>`

/** The headings of a guide, with the IDs of their sections. */
const headingsIn = (markdown: string) =>
  marked
    .lexer(markdown)
    .flatMap((token) => (token.type === "heading" && token.depth === 2 ? [String(token.text)] : []))
    .map((text) => ({ id: idOf(text), text: text.replaceAll("`", "") }))

/** The minimum number of sections of a guide that has an outline. */
const MIN_SECTIONS = 3

/** The outline of a guide: a column on wide screens, a collapsed list on narrow ones. */
const outline = (markdown: string): { readonly column: Html; readonly list: Html } => {
  const headings = headingsIn(markdown)
  const links = html`<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
  if (headings.length < MIN_SECTIONS) return { column: html``, list: html`` }
  return {
    column: html`<nav class="outline" aria-label="On this page"><h2>On this page</h2>${links}</nav>`,
    list: html`<details class="outline-list"><summary>On this page</summary>${links}</details>`
  }
}

/** The links to the previous and next guide. */
const neighborLinks = (groups: ReadonlyArray<GuideGroup>, current: string): Html | undefined => {
  const all = groups.flatMap(({ guides }) => guides)
  const at = all.findIndex(({ name }) => name === current)
  if (at < 0) return undefined
  const link = (guide: GuideLink | undefined, label: string) =>
    guide === undefined
      ? html`<span></span>`
      : html`<span>${label} <a href="${pathOf(guide.name)}">${guide.title}</a></span>`
  return html`<nav class="ways" aria-label="Next and previous">${link(all[at - 1], "Previous:")}${link(all[at + 1], "Next:")}</nav>`
}

/** Renders the page of a guide. */
export const guidePage = (publicUrl: string, groups: ReadonlyArray<GuideGroup>, name: string, markdown: string) => {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name
  const { column, list } = outline(name === INDEX ? "" : markdown)
  const body = marked.parse(markdown, { async: false }).replace("</h1>\n", () => `</h1>\n${list.markup}`)
  return pageDocument({
    publicUrl,
    language: "en",
    title: `${title} · Sallyport`,
    header: docsHeader("guides"),
    main: html`<article class="guide">
${Html.of(body)}${neighborLinks(groups, name)}
</article>
${navigation(groups, name)}
${column}`,
    style: guideStyle,
    script: scriptUrl
  })
}
