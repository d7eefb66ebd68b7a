import { createHash } from "node:crypto"

/** The one stylesheet, inline in every page: no second request, and nothing that a policy has to let in from elsewhere. */
export const style = `
:root { color-scheme: light dark; --back: #f3f3ef; --card: #fff; --ink: #1c1e22; --soft: #545963; --line: #80858f;
  --rule: #dfdfd9; --accent: #1f4fd1; --accent-down: #173ca3; --on-accent: #fff; --bad: #b01c14; --bad-back: #fdf0ee;
  --good: #17714a; --good-back: #e6f4ec; --wait: #7a5200; --wait-back: #fbf1dc }
@media (prefers-color-scheme: dark) {
  :root { --back: #121417; --card: #1c1f24; --ink: #eceef1; --soft: #a9b0bb; --line: #767d89; --rule: #31363e;
    --accent: #9db8ff; --accent-down: #c3d3ff; --on-accent: #0c1a40; --bad: #ff9d94; --bad-back: #3a1d1b;
    --good: #7fd6a8; --good-back: #17332a; --wait: #f0c674; --wait-back: #37301d } }
*, ::before, ::after { box-sizing: border-box }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100% }
body { margin: 0; min-height: 100vh; padding: 1rem; display: flex; flex-direction: column; align-items: center;
  background: var(--back); color: var(--ink); overflow-wrap: anywhere }
header, main { width: 100%; max-width: 27rem }
header { margin: 1rem 0; display: flex; align-items: center; gap: .75rem; font-weight: 600 }
header span { flex: none; width: 2.25rem; height: 2.25rem; border-radius: .625rem; background: var(--accent);
  color: var(--on-accent); display: grid; place-items: center; overflow: hidden }
header p { margin: 0 }
main { background: var(--card); border: 1px solid var(--rule); border-radius: 1rem; padding: 1.5rem 1.25rem }
main:first-child { margin-top: 1rem }
@media (min-width: 30rem) { body { padding: 1.5rem } header, main:first-child { margin-top: 8vh } main { padding: 2rem } }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 0 0 1rem; font-size: 1.125rem; line-height: 1.35 }
p { margin: 0 0 1rem }
main > :last-child, form > :last-child { margin-bottom: 0 }
.name { font-weight: 600 }
.soft { color: var(--soft) }
.part { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--rule) }
.field { margin-bottom: 1.25rem }
label { display: block; margin-bottom: .375rem; font-weight: 600 }
label .soft { font-weight: 400 }
.hint, .error { margin: -.125rem 0 .5rem; font-size: .9375rem }
.hint { color: var(--soft) }
.error { color: var(--bad); font-weight: 600 }
input { width: 100%; min-height: 3rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem }
input[readonly] { background: var(--back) }
input[aria-invalid] { border: 2px solid var(--bad) }
button { display: block; width: 100%; min-height: 3rem; margin-top: 1.5rem; padding: .625rem 1rem; font: inherit;
  font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid transparent;
  border-radius: .5rem; cursor: pointer }
button:hover { background: var(--accent-down) }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.errors { margin: 0 0 1.5rem; padding: 1rem; background: var(--bad-back); border-left: 4px solid var(--bad);
  border-radius: .25rem }
.errors h2 { margin-bottom: .5rem; font-size: 1rem; color: var(--bad) }
.errors ul { margin: 0; padding-left: 1.25rem }
.errors a { color: inherit }
.sign { display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1rem; border-radius: 50% }
.sign svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round;
  stroke-linejoin: round }
.good { color: var(--good); background: var(--good-back) }
.wait { color: var(--wait); background: var(--wait-back) }
`

const styleDigest = `sha256-${createHash("sha256").update(style).digest("base64")}`

/** As much of an address as a policy names: its origin, or the scheme of an app's own. */
const sourceOf = (address: string): string => {
  const { origin, protocol } = new URL(address)
  return origin === "null" ? protocol : origin
}

/**
 * What a page may do: show this style and send forms to where it came from; from there on browsers may be sent to `next`
 * alone.
 */
export const policyFor = (next: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src '${styleDigest}'`,
    next === undefined ? "form-action 'self'" : `form-action 'self' ${sourceOf(next)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")
