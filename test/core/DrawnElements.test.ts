import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { MAX_DRAWN } from "#core/appearance/DrawnElements"
import { cleanDrawing } from "#core/appearance/SvgLogo"

const svg = (inside: string, attributes = "") =>
  `<svg${attributes} xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`

const outcome = (inside: string, attributes?: string) => cleanDrawing(svg(inside, attributes))._tag

/** Ten levels that each reference the level below ten times, using the markup from `show`: 10^10 elements when rendered. */
const levels = (show: (id: string, level: number) => string, begin: (level: number) => string, end: string): string =>
  Array.from({ length: 10 }, (_, level) => begin(level) + show(`a${level - 1}`, level).repeat(10) + end).join("")

const shape = (fill: string) => `<rect width="9" height="9" ${fill}/>`

const pattern = (level: number) => `<pattern id="a${level}" width="1" height="1">`

const painted = `<defs>${levels((id) => shape(`fill="url(#${id})"`), pattern, "</pattern>")}</defs>`

/** Drawings of one or two kilobytes that browsers would render for hours. */
const bombs: ReadonlyArray<readonly [name: string, inside: string, attributes?: string]> = [
  [
    "use",
    levels(
      (id) => `<use href="#${id}"/>`,
      (level) => `<g id="a${level}"><path d="M0 0h9"/>`,
      "</g>"
    )
  ],
  [
    "use with xlink:href",
    levels(
      (id) => `<use xlink:href="#${id}"/>`,
      (level) => `<g id="a${level}"><rect/>`,
      "</g>"
    )
  ],
  [
    "use of symbols",
    levels(
      (id) => `<use href="#${id}"/>`,
      (level) => `<symbol id="a${level}"><rect/>`,
      "</symbol>"
    )
  ],
  [
    "use in definitions",
    `<defs>${levels(
      (id) => `<use href="#${id}"/>`,
      (level) => `<g id="a${level}"><rect/>`,
      "</g>"
    )}</defs><rect/>`
  ],
  [
    "encoded references",
    levels(
      (id) => `<use href="#${id.replace("a", "%61")}"/>`,
      (n) => `<g id="a${n}"><rect/>`,
      "</g>"
    )
  ],
  [
    "references with white space",
    levels(
      (id) => `<use href="#a&#10;${id.slice(1)} "/>`,
      (n) => `<g id="a${n}"><rect/>`,
      "</g>"
    )
  ],
  ["patterns as fill", `${painted}${shape('fill="url(#a9)"')}`],
  [
    "patterns as stroke",
    `<defs>${levels((id) => `<path stroke="url( '#${id}' )"/>`, pattern, "</pattern>")}</defs><path stroke="url(#a9)"/>`
  ],
  [
    "patterns in styles of elements",
    `<defs>${levels((id) => shape(`style="fill:url(&quot;#${id}&quot;)"`), pattern, "</pattern>")}</defs><rect style="fill:url(#a9)"/>`
  ],
  ["an inherited fill", `${painted}<g fill="url(#a9)"><g><rect/></g></g>`],
  ["a fill inherited by a copy", `${painted}<defs><path id="p" d="M0 0h9"/></defs><use href="#p" fill="url(#a9)"/>`],
  [
    "masks",
    `<defs>${levels(
      (id) => `<rect mask="url(#${id})"/>`,
      (level) => `<mask id="a${level}">`,
      "</mask>"
    )}</defs><rect mask="url(#a9)"/>`
  ],
  [
    "clip paths",
    `<defs>${levels(
      (id) => `<path clip-path="url(#${id})"/>`,
      (level) => `<clipPath id="a${level}">`,
      "</clipPath>"
    )}</defs><g clip-path="url(#a9)"><rect/></g>`
  ],
  [
    "style sheet classes",
    `<style>${Array.from({ length: 10 }, (_, n) => `.p${n}{fill:url(#a${n})}`).join("")}</style><defs>${levels((id) => `<rect class="x p${id.slice(1)}"/>`, pattern, "</pattern>")}</defs><rect class="p9"/>`
  ],
  ["an unclosed rule", `${painted}<rect class="a"/><style>.a{fill:url(#a9</style>`],
  ["a rule in a media query", `${painted}<rect class="a"/><style>@media all{.a{fill:url(#a9)}}</style>`],
  ["a rule between fake comments", `${painted}<rect class="a"/><style>b{--x:"/*"}.a{fill:url(#a9)}c{--x:"*/"}</style>`],
  ["a rule for every element", `${painted}<style>*{stroke:url(#a9)}</style>`],
  ["a rule with a pseudo-class", `${painted}<style>rect:not(.b){fill:url(#a9)}</style>`],
  ["an animated style", `${painted}<rect/><style>@keyframes k{from{fill:url(#a9)}}rect{animation:k 1s}</style>`],
  ["a variable", `${painted}<rect fill="var(--x)"/>`, ' style="--x:url(#a9)"'],
  ["a custom property", `${painted}<rect class="b"/><style>svg{--x:url(#a9)}.b{fill:var(--x)}</style>`],
  ["a group that references itself", '<g id="a"><use href="#a"/><use href="#a"/><rect/></g>'],
  ["two groups that reference each other", '<g id="a"><use href="#b"/><rect/></g><g id="b"><use href="#a"/></g>'],
  [
    "a long chain of references",
    Array.from({ length: 1_500 }, (_, n) => `<g id="a${n}"><use href="#a${n - 1}"/></g>`).join("") + "<rect/>"
  ]
]

describe("a drawing with repeated elements", () => {
  it.each(bombs)("SEC-250: is rejected with %s", (_, inside = "", attributes = "") => {
    const begun = performance.now()
    expect(outcome(inside, attributes)).toBe("TooComplex")
    expect(performance.now() - begun).toBeLessThan(2_000)
  })

  it("is accepted up to the limit", () => {
    const repeated = (times: number) => `<g id="a"><rect/></g>${'<use href="#a"/>'.repeat(times)}`
    // The drawing itself, the group, its rectangle, and three elements per copy.
    const most = Math.floor((MAX_DRAWN - 3) / 3)
    expect(outcome(repeated(most))).toBe("Cleaned")
    expect(outcome(repeated(most + 1))).toBe("TooComplex")
  })
})

/** Logos as exported by drawing programs. */
const logos: ReadonlyArray<readonly [name: string, inside: string]> = [
  ["nothing but shapes", "<rect/>".repeat(9_000)],
  [
    "gradients by class",
    `<style>.cls-1{font-family:'Open Sans', sans-serif;}${Array.from({ length: 20 }, (_, n) => `.c${n},.d${n}{fill:url(#g${n});}`).join("")}</style>${Array.from({ length: 20 }, (_, n) => `<linearGradient id="g${n}" href="#g0x"><stop/><stop/></linearGradient>`).join("")}<g>${Array.from({ length: 600 }, (_, n) => `<path class="cls-1 c${n % 20}" d="M0 0"/>`).join("")}</g>`
  ],
  [
    "a clip path around a mask around gradients",
    `<defs><clipPath id="c"><rect/></clipPath><radialGradient id="g"><stop/><stop/></radialGradient></defs><g clip-path="url(#c)"><mask id="m"><rect fill="#fff"/></mask><g mask="url(#m)">${'<path fill="url(#g)" stroke="#000"/>'.repeat(1_000)}</g></g>`
  ],
  ["symbols used several times", `<symbol id="s">${"<path/>".repeat(50)}</symbol>${'<use href="#s"/>'.repeat(100)}`],
  ["dangling references", '<use href="#x"/><rect fill="url(#y)" mask="url(#z)"/><style>.a{fill:url(#b)}</style>']
]

it.each(logos)("accepts a drawing with %s", (_, inside = "") => {
  expect(outcome(inside)).toBe("Cleaned")
})

const pieces = ["a", "b", "c"].flatMap((id) => [
  `<g id="${id}">`,
  `<pattern id="${id}">`,
  `<use href="#${id}"/>`,
  `<rect fill="url(#${id})" mask="url(#${id})"/>`,
  `<style>.${id}{fill:url(#${id})}</style>`,
  `<path class="${id}"/>`
])

it.effect.prop(
  "accepts or rejects any drawing in finite time",
  [Schema.Array(Schema.Literals([...pieces, "</g>", "</pattern>", "<rect/>"])).check(Schema.isMaxLength(60))],
  ([parts]) =>
    Effect.sync(() => {
      expect(["Cleaned", "Refused", "TooComplex"]).toContain(outcome(parts.join("")))
    })
)
