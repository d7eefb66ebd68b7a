import { escapeHtml } from "#platform/Html"
import type { MailColors, MailLook } from "./MailLook.ts"

/**
 * The rules for the colors of a theme. `prefix` starts the selectors. Mail clients change the colors in `style` attributes, so
 * these rules take precedence.
 */
const colorRules = (colors: MailColors, prefix = ""): string =>
  [
    ["back", "background", colors.back],
    ["name", "color", colors.backInk],
    ["tile", "background", colors.tile],
    ["tile", "color", colors.onTile],
    ["card", "background", colors.card],
    ["card", "border-color", colors.rule],
    ["card", "color", colors.ink],
    ["card a", "color", colors.accent],
    ["card small", "color", colors.soft],
    ["fill", "background", colors.fill],
    ["card .sallyport-fill a", "background", colors.fill],
    ["card .sallyport-fill a", "border-color", colors.fill],
    ["card .sallyport-fill a", "color", colors.onFill]
  ]
    .map(([selector, property, value]) => `${prefix}.sallyport-${selector} { ${property}: ${value} !important }`)
    .join("\n")

/**
 * The style sheet. Clients with a dark mode apply the media query. Outlook.com doesn't support it and marks the document with
 * `data-ogsc` instead.
 */
const styleSheet = ({
  light,
  dark
}: MailLook): string => `:root { color-scheme: light dark; supported-color-schemes: light dark }
.sallyport-card a { color: ${light.accent} }
.sallyport-card small { color: ${light.soft}; font-size: 14px }
.sallyport-card h1, .sallyport-card h2, .sallyport-card h3 { line-height: 1.25 }
.sallyport-card img { max-width: 100% }
@media (prefers-color-scheme: dark) {
${colorRules(dark)}
.sallyport-light { display: none !important }
.sallyport-dark { display: block !important }
}
${colorRules(dark, "[data-ogsc] ")}
`

/** The logo. The client's own style of alternative texts would be hard to read, so it has the name's. */
const logoImage = ({ name, font, light }: MailLook, url: string, className: string, display: string): string =>
  `<img class="sallyport-name ${className}" src="${escapeHtml(url)}" alt="${escapeHtml(name)}" height="40" style="${display}; border: 0; width: auto; height: auto; max-width: 240px; max-height: 40px; font: 600 18px/40px ${font}; color: ${light.backInk}">`

const logoImages = (look: MailLook, { light, dark }: NonNullable<MailLook["logo"]>): string =>
  dark === null || dark === light
    ? logoImage(look, light, "", "display: block")
    : `${logoImage(look, light, "sallyport-light", "display: block")}<!--[if !mso]><!-->${logoImage(look, dark, "sallyport-dark", "display: none; mso-hide: all")}<!--<![endif]-->`

const initialOf = (text: string): string => {
  const [first] = new Intl.Segmenter().segment(text.trim())
  return first?.segment.toUpperCase() ?? ""
}

/** The name, with its first letter on a colored tile, as on the pages. */
const nameLine = ({ name, font, radius, light }: MailLook): string =>
  `<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr>
<td class="sallyport-tile" aria-hidden="true" bgcolor="${light.tile}" width="36" height="36" align="center" style="background: ${light.tile}; border-radius: ${Math.min(10, radius.control)}px; color: ${light.onTile}; font: 600 18px/36px ${font}">${escapeHtml(initialOf(name))}</td>
<td class="sallyport-name" style="padding-left: 12px; color: ${light.backInk}; font: 600 18px/1.3 ${font}">${escapeHtml(name)}</td>
</tr></table>`

const heading = (look: MailLook): string => {
  if (look.name === "") return ""
  return `<div style="padding: 8px ${look.isPlain ? "24px 0" : "0 16px"}">${look.logo === null ? nameLine(look) : logoImages(look, look.logo)}</div>
`
}

/** Wraps the HTML of an email in a document with the app's look, in the reader's light or dark colors. */
export const mailDocument = (language: string, title: string, body: string, look: MailLook): string => {
  const { light, font, radius, isPlain } = look
  const border = isPlain ? "1px solid transparent" : `1px solid ${light.rule}`
  return `<!doctype html>
<html lang="${escapeHtml(language)}" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${styleSheet(look)}</style>
</head>
<body class="sallyport-back" style="margin: 0; padding: 0; background: ${light.back}">
<table class="sallyport-back" role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" bgcolor="${light.back}" style="background: ${light.back}"><tr><td align="center" style="padding: 24px 16px">
<!--[if mso]><table role="presentation" width="560" border="0" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<div style="max-width: 560px; margin: 0 auto; text-align: left">
${heading(look)}<div class="sallyport-card" role="article" style="padding: 16px 24px; background: ${light.card}; border: ${border}; border-radius: ${radius.card}px; box-sizing: border-box; color: ${light.ink}; font: 16px/1.6 ${font}; overflow-wrap: break-word">
${body}</div>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
}
