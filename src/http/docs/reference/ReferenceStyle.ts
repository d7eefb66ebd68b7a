/** The style of the API reference, in addition to that of the guides. */
export const referenceStyle = `
@media (min-width: 64rem) { body > header div, main { max-width: 96rem; } }
.guide.reference { max-width: none; }
.reference > :is(p, ul, h1, h2, h3) { max-width: 50rem; }
.reference h1 .version { color: var(--faint); font-size: 1.125rem; font-weight: 400; }
.reference h3 { margin: 28px 0 8px; font-size: 1rem; scroll-margin-top: 16px; }
.reference h3 a { color: inherit; text-decoration: none; }
.reference h3 a:hover { text-decoration: underline; }
.operation + .operation { border-top: 1px solid var(--line); margin-top: 44px; }
.reference .route { margin: 4px 0 16px; overflow-wrap: anywhere; }
.reference .route code { background: none; padding: 0; }
.method { font: 600 .75rem/1.5 var(--mono); padding: 2px 6px; border-radius: 4px; color: var(--faint); background: var(--raised); }
.method.get { color: light-dark(#0b5fb0, #7cc0ff); background: light-dark(#e8f2fc, #10263b); }
.method.post { color: light-dark(#17683d, #7fd6a8); background: light-dark(#e6f4ec, #14301f); }
.method.put, .method.patch { color: light-dark(#7a5200, #f0c674); background: light-dark(#fbf1dc, #33290f); }
.method.delete { color: light-dark(#a8201a, #ff9d94); background: light-dark(#fdeeec, #3a1d1b); }
@media (min-width: 80rem) {
  .halves { display: grid; grid-template-columns: minmax(0, 6fr) minmax(0, 5fr); gap: 40px; align-items: start; }
  .samples { position: sticky; top: 20px; }
  .samples pre { max-height: 45vh; }
}
.samples > figure:first-child { margin-top: 0; }
.halves > div > :first-child { margin-top: 0; }
.reference .members { list-style: none; padding: 0; }
.members > li { margin: 0; padding: 10px 0; border-top: 1px solid var(--line); }
.members > li:last-child { border-bottom: 1px solid var(--line); }
.members p, .reference .shared { margin: 0; }
.members p + p { margin-top: 4px; font-size: .9375rem; }
.reference .shared { margin-top: 8px; color: var(--faint); font-size: .9375rem; }
.guide code.member { background: none; padding: 0; font-weight: 600; }
.type { color: var(--faint); font-size: .875rem; }
.need { color: light-dark(#a8201a, #ff9d94); font-size: .8125rem; }
.reference details { margin-top: 8px; border: 1px solid var(--line); border-radius: 8px; padding: 0 12px; font-size: .9375rem; }
.reference summary, .guides summary { cursor: pointer; padding: 8px 0; color: var(--faint); }
.reference details > ul { margin: 0 0 8px; padding-left: 20px; }
.reference details > .members { padding: 0; }
.members details .members > li:last-child { border-bottom: 0; }
.guides ul ul { margin: 2px 0 8px 12px; border-left: 1px solid var(--line); padding-left: 12px; font-size: .875rem; }
.guides summary { font-size: .8125rem; font-weight: 600; }
.reference .endpoints { list-style: none; padding: 0; max-width: none; margin: 4px 0 20px; }
.endpoints li + li { margin: 0; border-top: 1px solid var(--line); }
.endpoints a { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr); gap: 16px; padding: 7px 0; color: inherit;
  text-decoration: none; }
.endpoints a:hover > :first-child { text-decoration: underline; }
.reference .endpoints .route { margin: 0; }
@media (max-width: 39.99rem) { .endpoints a { grid-template-columns: 1fr; gap: 2px; } }
@media (min-width: 64rem) { .guides { max-height: calc(100vh - 56px); overflow-y: auto; padding: 0 4px 0 12px; margin-left: -12px; } }
`
