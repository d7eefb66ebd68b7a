import { createHash } from "node:crypto"
import { defaultAppearance } from "#domain/Appearance"
import { cornerRadii, fontStacks } from "#domain/BrandFont"
import { themeVariables } from "./ThemeVariables.ts"

const declarations = (name: "light" | "dark"): string =>
  themeVariables(defaultAppearance, name)
    .map((each) => each.join(": "))
    .join("; ")

/**
 * The stylesheet, included in every page to save a request. Its rules only match our own classes or elements within `main`, so
 * that they don't affect an app's header and footer.
 */
export const style = `
:root { ${declarations("light")}; --font: ${fontStacks.system}; --radius: ${cornerRadii.medium.control}px; --card-radius: ${cornerRadii.medium.card}px }
@media (prefers-color-scheme: dark) { :root { ${declarations("dark")} } }
*, ::before, ::after { box-sizing: border-box }
html { font: 100%/1.5 var(--font);
  -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; min-height: 100vh; min-height: 100svh; padding: 1rem; display: flex; flex-direction: column;
  align-items: center; background: var(--back); color: var(--ink); overflow-wrap: anywhere }
.brand, .above, .below { color: var(--back-ink) }
:is(.above, .below) a { color: var(--back-accent) }
:is(.above, .below) :focus-visible { outline-color: var(--back-accent) }
a { color: var(--accent); text-underline-offset: .15em }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.brand, main { width: 100%; max-width: 27rem }
body:has(.team) .brand, main:has(.team) { max-width: 42rem }
.brand { margin: .5rem 0 1rem; display: flex; align-items: center; gap: .75rem; font-weight: 600 }
.brand span { flex: none; width: 2.25rem; height: 2.25rem; border-radius: min(var(--radius), .625rem); background: var(--tile);
  color: var(--on-tile); display: grid; place-items: center; overflow: hidden }
.brand p, main .person p { margin: 0 }
.person { display: flex; align-items: center; gap: .75rem; margin-bottom: 1.25rem; line-height: 1.35 }
.person > span { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--tint); color: var(--accent);
  font-weight: 600; display: grid; place-items: center }
.logo { display: block; max-width: min(16rem, 100%); height: 2.75rem; object-fit: contain; object-position: left }
.above, .below { width: 100%; max-width: 64rem }
.above { margin-bottom: 1.5rem }
.below { margin-top: auto; padding-top: 2rem; color: var(--back-soft); font-size: .9375rem }
.above img, .below img { max-width: 100%; height: auto }
main { background: var(--card); border: 1px solid var(--rule); border-radius: var(--card-radius); padding: 1.5rem 1.25rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 8px 24px -12px rgb(0 0 0 / 12%) }
h1 { line-height: 1.25 }
main h1 { margin: 0 0 .75rem; font-size: 1.5rem }
main h2 { margin: 0 0 1rem; font-size: 1.125rem; line-height: 1.35 }
main h3 { margin: 1.5rem 0 .75rem; font-size: 1rem }
main p { margin: 0 0 1rem }
main > :last-child, form > :last-child, section > :last-child, .note > :last-child, .way:last-child { margin-bottom: 0 }
.name { font-weight: 600 }
.soft { color: var(--soft) }
.tabs ul { list-style: none; display: flex; gap: 1.5rem; margin: -.5rem 0 1.25rem; padding: 0;
  border-bottom: 1px solid var(--rule) }
.tabs a { display: block; padding: .625rem 0; color: var(--soft); text-decoration: none; font-weight: 600;
  border-bottom: 3px solid transparent; margin-bottom: -1px }
.tabs a:hover { color: var(--ink) }
.tabs .here { color: var(--ink); border-color: var(--accent) }
.list { list-style: none; margin: 0 0 1rem; padding: 0 }
.row { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 0;
  border-bottom: 1px solid var(--rule) }
.list .row:first-child { padding-top: 0 }
.row p { margin: 0 }
.list .row:last-child { border-bottom: 0 }
.row form { flex: none }
.row.tall { display: block }
.tall ul { margin: .25rem 0 .5rem; padding-inline-start: 1.25rem }
.tall form { margin-top: .75rem }
.row form > button[type=submit] { margin-top: 0 }
.row button[type=submit] { width: auto; min-height: 2.5rem }
.row .soft { font-size: .9375rem }
.row:has(> .acts) { flex-wrap: wrap }
.row:has(> .acts) > div:first-child { flex: 1 1 15rem }
.member { gap: .75rem; padding: .375rem 0; min-height: 3rem }
.initial { flex: none; width: 2rem; height: 2rem; border-radius: 50%; background: var(--tint); color: var(--accent);
  font-size: .875rem; font-weight: 600; display: grid; place-items: center }
main .who { flex: 1; min-width: 0; line-height: 1.35 }
.fits { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.menu, .menu[open] { flex: none; position: relative; padding: 0; border: 0 }
.menu summary { min-height: 2.25rem; gap: .5rem; padding: 0 .625rem; border: 1px solid var(--rule); border-radius: .5rem;
  max-width: 40vw; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.menu summary::after { content: ""; flex: none; width: .4375rem; height: .4375rem; border: solid; border-width: 0 2px 2px 0;
  transform: translateY(-25%) rotate(45deg) }
.menu > div { position: absolute; z-index: 1; inset-inline-end: 0; top: calc(100% + .25rem); width: max-content; min-width: 11rem;
  max-width: 18rem; padding: .375rem; background: var(--card); border: 1px solid var(--rule); border-radius: .5rem;
  box-shadow: 0 8px 24px -8px rgb(0 0 0 / 35%) }
main .menu form { padding: 0 0 .25rem; border-bottom: 1px solid var(--rule); margin-bottom: .25rem }
.menu :is(button[type=submit], a, .chosen) { display: flex; justify-content: flex-start; width: 100%; min-height: 2.5rem; margin: 0;
  padding: .375rem .625rem; align-items: center; color: var(--ink); background: none; border: 0; font-weight: 400;
  text-align: start; text-decoration: none }
.menu :is(button[type=submit], a):hover { background: var(--tint) }
main .menu .chosen { font-weight: 600; color: var(--soft) }
.menu .chosen::after { content: "\\2713" / ""; margin-inline-start: auto }
.invite { margin-bottom: 1.5rem; padding-bottom: 1.5rem; border-bottom: 1px solid var(--rule) }
.team .line { grid-template-columns: 1fr; gap: 1rem }
.team details form { padding-top: 0 }
.team details form > button[type=submit] { margin-top: 0 }
.acts { display: flex; flex-wrap: wrap; gap: .5rem }
.turns { display: flex; flex-wrap: wrap; gap: 0 1.5rem }
.search { display: flex; align-items: flex-end; gap: .75rem; margin-bottom: 1rem }
.search .field { flex: 1; margin: 0 }
.search > button[type=submit] { width: auto; margin: 0 }
.tag { padding: .0625rem .5rem; border-radius: 1rem; background: var(--good-back); color: var(--good);
  font-size: .8125rem; white-space: nowrap }
main .service { display: flex; align-items: center; gap: .625rem }
.service svg { flex: none; width: 1.25rem; height: 1.25rem }
.rows { margin: 0 0 .25rem }
.rows + .note { margin-top: 1.25rem }
.rows div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 1rem; padding: .25rem 0 }
.rows dt { color: var(--soft) }
.rows dd { margin: 0 }
.part { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--rule) }
.part:has(> .way:first-child) { padding-top: .75rem; margin-bottom: -.625rem }
main .way { margin: 0 }
main form + .way { margin-top: .5rem }
main > .way:last-child { margin-bottom: -.625rem }
.way a { display: inline-block; padding: .625rem 0 }
.field { margin-bottom: 1rem }
.line { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; margin-bottom: 1rem }
.line .field { display: flex; flex-direction: column; margin-bottom: 0 }
.line .field :is(input, select) { margin-top: auto }
label { display: block; margin-bottom: .25rem; font-weight: 600 }
label .soft { font-weight: 400 }
.tick { display: flex; gap: .625rem }
.tick input { flex: none; width: 1.125rem; height: 1.125rem; min-height: 0; margin: .1875rem 0 0; accent-color: var(--accent) }
.tick .hint { margin: 0 }
main .hint, main .error { margin: -.125rem 0 .375rem; font-size: .9375rem; line-height: 1.4 }
.hint { color: var(--soft) }
.error { color: var(--bad); font-weight: 600 }
input, select { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: var(--radius) }
input[readonly] { background: var(--sunk) }
input[aria-invalid], select[aria-invalid] { border: 2px solid var(--bad) }
input[autocomplete=one-time-code] { font-variant-numeric: tabular-nums; letter-spacing: .125em }
.stack { display: grid; gap: .75rem }
.check { display: flex; align-items: flex-start; gap: .75rem; padding: .625rem 0; font-weight: 400; cursor: pointer }
.check input { flex: none; width: 1.25rem; min-height: 0; height: 1.25rem; margin: .125rem 0 0; padding: 0; accent-color: var(--fill) }
.secret { position: relative }
.js .secret input { padding-inline-end: 3.25rem }
.reveal { position: absolute; inset-block: 0; inset-inline-end: 0; width: 3rem; display: grid; place-items: center;
  padding: 0; color: var(--soft); background: none; border: 0; border-radius: var(--radius); cursor: pointer }
.reveal:hover { color: var(--ink) }
.reveal svg { width: 1.375rem; height: 1.375rem; fill: none; stroke: currentColor; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round }
.strength[data-level] { display: flex; align-items: center; gap: .75rem; margin-top: .5rem; font-size: .9375rem; color: var(--soft) }
.strength:not([data-level]) .bar { display: none }
.strength .bar { flex: none; display: flex; gap: .25rem; width: 6rem }
.strength i { flex: 1; height: .375rem; border-radius: .25rem; background: var(--rule) }
.strength[data-level="1"] i:nth-child(-n+1) { background: var(--bad) }
.strength[data-level="2"] i:nth-child(-n+2) { background: var(--wait) }
.strength[data-level="3"] i:nth-child(-n+3), .strength[data-level="4"] i { background: var(--good) }
main .strength p { margin: 0 }
.reveal[aria-pressed=false] .slash { display: none }
button[type=submit], .choice { display: flex; align-items: center; justify-content: center; gap: .75rem; width: 100%;
  min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; text-align: center; border-radius: var(--radius);
  border: 1px solid transparent; color: var(--on-fill); background: var(--fill); cursor: pointer }
button[type=submit]:hover { background: var(--fill-down) }
form > button[type=submit] { margin-top: 1.25rem }
form > input[type=hidden]:first-child ~ button:nth-last-child(1):nth-child(-n+2) { margin-top: 0 }
[data-sent] button[type=submit] { cursor: progress }
button.quiet, .choice, button.choice { color: var(--accent); background: var(--card); border-color: var(--line) }
.choice, button.choice { color: var(--ink); text-decoration: none }
button.quiet:hover, .choice:hover, button.choice:hover { background: var(--tint) }
.choice.go { color: var(--on-fill); background: var(--fill); border-color: transparent }
.choice.go:hover { background: var(--fill-down) }
.choice svg { flex: none; width: 1.25rem; height: 1.25rem }
html:not(.js) .scripted { display: none }
main .passkey .error { margin: 0 0 .75rem }
.passkey + .choices { margin-top: .75rem }
main .passkey + .by-mail { margin-top: .75rem }
.choices, .devices { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem }
.choices button[type=submit] { margin: 0; justify-content: flex-start; text-align: start }
.choices button::after { content: "\\2192" / ""; margin-inline-start: auto; color: var(--accent) }
.or { display: flex; align-items: center; gap: 1rem; color: var(--soft) }
.or[hidden] { display: none }
main .or { margin: 1rem 0 }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--rule) }
.errors, .note, .saved { padding: 1rem; border-left: 4px solid; border-radius: min(var(--radius), .25rem) }
main .errors, main .note, main .saved { margin: 0 0 1.5rem }
.errors { background: var(--bad-back); border-color: var(--bad) }
.errors:focus-visible { outline: 2px solid var(--bad); outline-offset: 0 }
main .errors p { margin: 0 }
main .errors h2 { margin-bottom: .5rem; font-size: 1rem; color: var(--bad) }
.errors ul { margin: 0; padding-inline-start: 1.25rem }
.errors ul:has(> li:only-child) { padding: 0; list-style: none }
.errors li { padding: .1875rem 0 }
.errors a { color: inherit }
main .links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0 }
main .mailbox { margin: 1.5rem 0 0 }
.note { background: var(--wait-back); border-color: var(--wait) }
.saved { background: var(--good-back); border-color: var(--good) }
.qr { width: 13rem; max-width: 100%; margin: 0 auto 1.25rem; padding: .25rem; background: #fff; border-radius: .5rem }
.qr svg { display: block; width: 100%; height: auto; shape-rendering: crispEdges }
.key { display: block; padding: .75rem; background: var(--sunk); border-radius: min(var(--radius), .75rem); word-spacing: .25em;
  font: 1.0625rem/1.5 ui-monospace, Menlo, Consolas, monospace }
details { border: 1px solid var(--rule); border-radius: min(var(--radius), .75rem); padding: 0 .75rem }
details[open] { padding-bottom: 1rem }
summary { min-height: 3rem; display: flex; align-items: center; justify-content: space-between; gap: 1rem; cursor: pointer;
  list-style: none }
summary::-webkit-details-marker { display: none }
.devices summary { padding: .5rem 0 }
.act { flex: none; color: var(--accent); text-decoration: underline; text-underline-offset: .15em }
details form { padding-top: .5rem }
.more-way { margin-bottom: 0 }
.more-way a { display: inline-flex; align-items: center; gap: .375rem; min-height: 1.75rem; text-decoration: none }
.more-way a:hover { text-decoration: underline }
details.more, details.more[open] { margin-bottom: 1rem; padding: 0; border: 0 }
.devices + :is(details.more, .more-way) { margin-top: .75rem }
section > details.more:last-child { margin-bottom: 0 }
.more summary { min-height: 1.75rem; justify-content: flex-start; gap: .375rem; color: var(--accent) }
.more summary::before, .more-way a::before { content: ""; flex: none; width: .5rem; height: .5rem; margin: 0 .25rem; border: solid;
  border-width: 0 2px 2px 0; transform: translateX(-25%) rotate(-45deg) }
.more[open] > summary { margin-bottom: .5rem }
.more[open] > summary::before { transform: translateY(-25%) rotate(45deg) }
.more > :last-child { margin-bottom: 0 }
.sign { display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1rem; border-radius: 50% }
.sign svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round;
  stroke-linejoin: round }
.good { color: var(--good); background: var(--good-back) }
.wait { color: var(--wait); background: var(--wait-back) }
.mail { color: var(--accent); background: var(--tint) }
.mail svg { stroke-width: 1.75 }
.codes { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .5rem 1.5rem; margin: 0 0 1.5rem;
  padding: 1rem 1rem 1rem 2.5rem; border: 1px solid var(--line); border-radius: min(var(--radius), .75rem) }
.codes li::marker { color: var(--soft) }
.codes code { font-size: 1rem }
.codes-ways { display: flex; flex-wrap: wrap; gap: .75rem }
.codes-ways .choice { flex: auto; width: auto }
@media print { .choice, .brand, header, footer, nav { display: none } }
@media (min-width: 30rem) { .team .line { grid-template-columns: 3fr 2fr; gap: .75rem }
  .invite form > button[type=submit] { width: auto; margin-top: 0 }
  .who { display: flex; gap: .75rem; align-items: baseline } .who .fits { flex: 0 1 auto } .who bdi { margin-inline-start: auto; font-size: .9375rem } body { padding: 1.5rem } .brand { margin-top: clamp(.5rem, (100vh - 44rem) / 4, 8vh) } main { padding: 1.75rem 2rem } }
.plain main { border-color: transparent; box-shadow: none }
.plain :is(.brand, .above, .below) { padding-inline: 1.25rem }
@media (min-width: 30rem) { .plain :is(.brand, .above, .below) { padding-inline: 2rem } }
@media (min-width: 60rem) {
  body.split { display: grid; grid-template: 1fr auto / 1fr 1fr; padding: 0; align-items: stretch }
  .split :is(.brand, .above) { grid-area: 1 / 1; margin: 0; padding: 2.5rem; max-width: none; align-self: start }
  .split .logo { max-width: min(22rem, 100%); height: 3.5rem }
  .split main { grid-area: 1 / 2 / 3; max-width: none; border: 0; border-radius: 0; box-shadow: none; display: grid; padding: 2.5rem;
    grid-template-columns: minmax(0, 27rem); place-content: center }
  .split main:has(.team) { grid-template-columns: minmax(0, 38rem) }
  .split .below { grid-area: 2 / 1; margin: 0; padding: 2.5rem } }
@media (prefers-reduced-motion: no-preference) {
  button, .choice { transition: background-color .12s } }
`

/** The digest of the stylesheet for the content security policy. */
export const styleDigest = `sha256-${createHash("sha256").update(style).digest("base64")}`
