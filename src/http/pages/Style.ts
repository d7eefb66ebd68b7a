/** The style of the mailbox, the guides and the home page. It uses the colors of `/docs`, light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1b1b, #e7e7e7);
  --faint: light-dark(#636363, #a4a4a4);
  --ground: light-dark(#fff, #0f0f0f);
  --raised: light-dark(#f6f6f6, #1a1a1a);
  --line: light-dark(#e0e0e0, #2d2d2d);
  --accent: light-dark(#0066cc, #5eb1ff);
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
body > header { border-bottom: 1px solid var(--line); }
body > header div {
  max-width: 60rem; margin: 0 auto; padding: 12px 20px; display: flex; gap: 16px; align-items: baseline;
}
body > header a { color: inherit; text-decoration: none; padding: 4px 0; }
body > header a:hover { text-decoration: underline; }
body > header .name { font-weight: 600; margin-right: auto; }
body > header nav { display: flex; gap: 20px; }
body > header .name span, body > header nav a { color: var(--faint); font-weight: 400; }
main { max-width: 60rem; margin: 0 auto; padding: 28px 20px 64px; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.3; }
h2 { margin: 0 0 8px; font-size: .875rem; font-weight: 600; }
p { margin: 12px 0; max-width: 40rem; }
main > p:first-child { margin-top: 0; }
.bar { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; margin-bottom: 20px; }
.bar h1 { margin-right: auto; }
form { display: flex; gap: 8px; flex: 0 1 24rem; }
input, button {
  font: inherit; color: inherit; min-height: 40px; padding: 6px 12px; border: 1px solid var(--line); border-radius: 6px;
}
input { flex: 1; min-width: 0; background: var(--ground); }
button { background: var(--raised); font-weight: 500; cursor: pointer; }
button:hover { border-color: var(--faint); }
.mails, .parts ul { list-style: none; margin: 0; padding: 0; }
.mails { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: 1fr auto; gap: 2px 24px; padding: 12px 16px; color: inherit;
  text-decoration: none; }
.mails a:hover { background: var(--raised); }
.mails a:focus-visible { outline-offset: -2px; }
.mails strong { font-weight: 600; }
.mails time, .mails .who { color: var(--faint); font-size: .875rem; }
.mails time { white-space: nowrap; padding-top: 2px; }
.mails .who { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 16px; }
.mails .who b { font-weight: 500; color: var(--text); }
.mails code { font: .8125rem/1.5 var(--mono); color: var(--faint); padding-top: 2px; }
main > p + .mails { margin-top: 24px; }
body > header .release { color: var(--faint); }
.pages { display: flex; gap: 24px; margin-top: 16px; }
.pages :last-child { margin-left: auto; }
.empty { border: 1px dashed var(--line); border-radius: 8px; padding: 28px 24px; }
.empty h2 { font-size: 1.125rem; }
.empty pre { margin: 12px 0; }
pre { margin: 0; font: .8125rem/1.6 var(--mono); white-space: pre-wrap; background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; padding: 16px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 16px; margin: 12px 0 24px; }
dt { color: var(--faint); }
dd { margin: 0; }
.parts { display: grid; gap: 20px; margin-bottom: 28px; padding: 16px; border: 1px solid var(--line); border-radius: 8px; }
.parts li { font: .875rem/1.6 var(--mono); }
.parts li + li { margin-top: 8px; }
.parts a, .parts code { user-select: all; }
.parts code { font: 600 1.25rem/1.4 var(--mono); letter-spacing: .08em; }
.tabs { display: flex; border-bottom: 1px solid var(--line); margin-bottom: 16px; }
.tabs a { padding: 8px 14px; color: var(--faint); text-decoration: none; border-bottom: 2px solid transparent;
  margin-bottom: -1px; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { color: var(--text); font-weight: 500; border-color: var(--accent); }
.tabs a:last-child { margin-left: auto; }
.looks { display: flex; flex-wrap: wrap; gap: 8px 24px; margin-bottom: 12px; font-size: .875rem; }
.looks span { display: flex; gap: 12px; }
.looks a { color: var(--faint); }
.looks a[aria-current] { color: var(--text); font-weight: 500; text-decoration: none; }
iframe { display: block; width: 100%; height: 80vh; min-height: 42rem; resize: vertical; border: 1px solid var(--line);
  border-radius: 8px; }
iframe.phone { width: 390px; max-width: 100%; margin: 0 auto; }
@media (max-width: 40rem) {
  main { padding: 20px 16px 48px; }
  body > header div { padding: 12px 16px; }
  form { flex-basis: 100%; }
  .mails a { grid-template-columns: 1fr; }
  .mails .who { display: block; }
  .mails .who span { display: block; }
}
`
