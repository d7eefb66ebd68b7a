import { escapeHtml } from "#platform/Html"

const FONT = "16px/1.6 -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** Wraps the HTML of an email in a document. Limits its width, and uses the reader's light or dark colors. */
export const mailDocument = (language: string, title: string, body: string): string => `<!doctype html>
<html lang="${escapeHtml(language)}" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin: 0; padding: 24px 16px">
<div role="article" style="max-width: 560px; margin: 0 auto; padding: 16px 24px; border: 1px solid rgba(128, 128, 128, 0.3); border-radius: 12px; box-sizing: border-box; font: ${FONT}; overflow-wrap: break-word">
${body}</div>
</body>
</html>
`
