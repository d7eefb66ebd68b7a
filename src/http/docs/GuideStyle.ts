/** The style of guides, in addition to that of all pages. */
export const guideStyle = `
body > header nav a[aria-current] { color: var(--text); font-weight: 500; }
@media (min-width: 64rem) {
  body > header div, main { max-width: 72rem; }
  main { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 48px; align-items: start; }
  .guides { grid-area: 1 / 1; position: sticky; top: 28px; }
}
.outline { display: none; }
.outline h2 { color: var(--faint); font-size: .8125rem; }
.outline ul, .results ul { list-style: none; margin: 0; padding: 0; }
.outline a { display: block; padding: 4px 0; color: var(--faint); font-size: .875rem; text-decoration: none; }
.outline a:hover { color: var(--text); text-decoration: underline; }
.outline-list { margin: 16px 0; border: 1px solid var(--line); border-radius: 8px; padding: 0 14px; }
.outline-list summary { cursor: pointer; padding: 10px 0; font-weight: 500; }
.guide .outline-list ul { margin: 0 0 12px; padding-left: 18px; }
@media (min-width: 80rem) {
  body > header div, main:has(.outline) { max-width: 88rem; }
  main:has(.outline) { grid-template-columns: 14rem minmax(0, 1fr) 13rem; }
  .outline { display: block; position: sticky; top: 28px; grid-area: 1 / 3; max-height: calc(100vh - 56px); overflow-y: auto; }
  .outline-list { display: none; }
}
body > header div { align-items: center; flex-wrap: wrap; }
body > header form { position: relative; flex: 0 1 20rem; }
body > header input { min-height: 36px; padding: 4px 10px; font-size: .9375rem; border-color: light-dark(#8a8a8a, #6f6f6f); }
body > header .found { display: block; position: absolute; z-index: 10; top: calc(100% + 6px); right: 0; width: max(100%, min(34rem, 90vw)); max-height: 70vh;
  overflow-y: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: 8px;
  box-shadow: 0 8px 24px rgb(0 0 0 / 18%); margin: 0; max-width: none; }
body > header .found[hidden] { display: none; }
body > header .results { display: block; margin: 0; padding: 0; max-width: none; }
.found p { margin: 4px 8px 8px; color: var(--faint); font-size: .8125rem; }
.results li + li { margin: 0; }
.results a { display: block; padding: 8px; border-radius: 6px; color: inherit; text-decoration: none; }
.results :is(a:hover, a:focus) { background: var(--raised); }
.results b { display: block; font-weight: 600; }
.results span { color: var(--faint); font-size: .875rem; overflow-wrap: anywhere; }
.guide .results li + li { border-top: 1px solid var(--line); }
figure { position: relative; }
.copy { position: absolute; right: 8px; bottom: 8px; min-height: 30px; padding: 2px 10px; font-size: .8125rem; background: var(--ground); }
@media (hover: hover) { .copy { opacity: 0; } figure:hover .copy, .copy:focus-visible { opacity: 1; } }
pre .comment { color: light-dark(#5f6b76, #98a3ae); }
pre .string { color: light-dark(#17683d, #8fd3a8); }
pre .number { color: light-dark(#9a4a00, #f2b36d); }
pre .keyword { color: light-dark(#7a2ea0, #d3a4f0); }
pre .name { color: light-dark(#0b5394, #86bdf5); }
@media (max-width: 47.99rem) { body > header form { order: 3; flex-basis: 100%; } body > header .found { left: 0; right: 0; width: 100%; max-width: none; } }
.guides ul { list-style: none; margin: 0 0 20px; padding: 0; }
.guides h2 { margin: 0 0 4px; color: var(--faint); font-size: .8125rem; }
.guides a { display: block; padding: 5px 12px; margin-left: -12px; color: inherit; text-decoration: none; border-radius: 6px; }
.guides a:hover { background: var(--raised); }
.guides a[aria-current] { background: var(--raised); font-weight: 600; }
@media (max-width: 63.99rem) {
  .guides.listed { display: none; }
  .guides { margin-top: 56px; padding-top: 20px; border-top: 1px solid var(--line); }
}
.guide { max-width: 50rem; min-width: 0; }
.guide h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.01em; }
.guide h2 { margin: 44px 0 12px; font-size: 1.375rem; line-height: 1.3; scroll-margin-top: 16px; }
.guide h2 a { color: inherit; text-decoration: none; }
.guide h2 a:hover { text-decoration: underline; }
.guide p, .guide ul, .guide ol { margin: 14px 0; max-width: none; }
.guide li + li { margin-top: 6px; }
.guide code { font: .875em/1.5 var(--mono); background: var(--raised); border-radius: 4px; padding: 1px 3px; }
.guide figure { margin: 16px 0; }
.guide figcaption { color: var(--faint); font-size: .8125rem; padding: 6px 16px; border: 1px solid var(--line);
  border-bottom: 0; border-radius: 8px 8px 0 0; background: var(--ground); }
.guide pre { white-space: pre; overflow-x: auto; tab-size: 2; }
.guide figcaption + pre { border-radius: 0 0 8px 8px; }
.guide pre code { font: inherit; background: none; padding: 0; }
.guide .answer pre { background: var(--ground); }
.guide .table { overflow-x: auto; margin: 16px 0; }
.guide table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
.guide th, .guide td { text-align: left; vertical-align: top; padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line);
  min-width: 8rem; }
.guide th { font-weight: 600; }
@media (max-width: 39.99rem) {
  .guide .wide thead { display: none; }
  .guide .wide :is(table, tbody, tr, td) { display: block; }
  .guide .wide tr { padding: 12px 0; border-bottom: 1px solid var(--line); }
  .guide .wide td { padding: 2px 0; border: 0; }
  .guide .wide td:empty { display: none; }
  .guide .wide td::before { content: attr(data-label) " "; color: var(--faint); font-size: .8125rem; display: block; }
}
@media (min-width: 40rem) { .guide td:first-child > code:only-child { white-space: nowrap; } }
.ways { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 12px 24px; margin-top: 56px; padding-top: 20px;
  border-top: 1px solid var(--line); }
`
