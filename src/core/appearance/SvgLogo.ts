import type { Attributes, IOptions, Tag } from "sanitize-html"
import sanitize from "sanitize-html"
import type { Cleaned } from "./Cleaned.ts"
import { DrawnElements } from "./DrawnElements.ts"

const NAMESPACE = "http://www.w3.org/2000/svg"

/** The elements allowed in a drawing. */
const svgTags = [
  ..."svg g defs symbol use title desc style switch".split(" "),
  ..."path rect circle ellipse line polyline polygon text tspan".split(" "),
  ..."linearGradient radialGradient stop pattern clipPath mask".split(" ")
]

/** The elements that draw something. */
const shapes: ReadonlySet<string> = new Set("path rect circle ellipse line polyline polygon text use".split(" "))

/** Elements that could run code or load content. A drawing that contains one is rejected instead of cleaned. */
const unsafeTags: ReadonlySet<string> = new Set(
  "script foreignobject iframe embed object image img audio video canvas handler listener link base meta".split(" ")
)

/** The allowed attributes. References may only point to parts of the same drawing. */
const svgAttributes = [
  ..."xmlns id class style transform viewBox preserveAspectRatio version width height x y x1 y1 x2 y2 cx cy r rx ry".split(
    " "
  ),
  ..."fx fy fr d points pathLength dx dy rotate textLength lengthAdjust offset href role aria-label opacity color".split(
    " "
  ),
  ..."fill fill-rule fill-opacity stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit".split(
    " "
  ),
  ..."stroke-dasharray stroke-dashoffset stop-color stop-opacity clip-path clip-rule mask mask-type display".split(" "),
  ..."visibility overflow vector-effect paint-order shape-rendering text-rendering color-interpolation".split(" "),
  ..."font-family font-size font-weight font-style font-stretch text-anchor dominant-baseline letter-spacing".split(
    " "
  ),
  ..."word-spacing gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform".split(
    " "
  ),
  ..."clipPathUnits maskUnits maskContentUnits".split(" ")
]

/** Matches CSS in a style or an attribute that loads external content. */
const loadsContent = /url\((?!\s?["']?#)|@import|image-set|src\(/i

/** Matches CSS that runs code, or could hide code. */
const runsCode = /\\|expression\(|javascript:/i

const isUnsafe = (text: string): boolean => loadsContent.test(text) || runsCode.test(text)

/** Matches characters that are invalid or discouraged in XML. They can also result from a reference such as `&#1;`. */
const notXml = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/u

/** The maximum nesting depth of elements. */
const MAX_NESTING = 100

/** Facts collected while a drawing is parsed. */
interface Findings {
  isUnsafe: boolean
  depth: number
  roots: number
  isFlat: boolean
  isDrawn: boolean
  readonly elements: DrawnElements
}

const isReference = (name: string): boolean => name === "href" || name.endsWith(":href")

/** Renames `xlink:href` to `href`. Older drawings use `xlink:href`, which only works with a namespace declaration. */
const withReferences = (attributes: Attributes): Attributes => {
  const renamed = Object.entries(attributes).map(([name, value]) => [isReference(name) ? "href" : name, value] as const)
  return Object.fromEntries(renamed)
}

const inspect = (findings: Findings, name: string, attributes: Attributes): void => {
  if (unsafeTags.has(name.toLowerCase().replace(/^.*:/, ""))) findings.isUnsafe = true
  for (const [attribute, value] of Object.entries(attributes)) {
    const isKept = svgTags.includes(name) && (svgAttributes.includes(attribute) || isReference(attribute))
    if (/^on/i.test(attribute) || (isKept && isUnsafe(value))) findings.isUnsafe = true
    if (isKept && isReference(attribute) && !value.startsWith("#")) findings.isUnsafe = true
  }
  findings.elements.open(name, attributes)
  if (shapes.has(name)) findings.isDrawn = true
  if (findings.depth === 0) findings.roots += name === "svg" ? 1 : 2
  findings.depth += 1
  if (findings.depth > MAX_NESTING) findings.isFlat = false
}

const optionsFor = (findings: Findings): IOptions => ({
  parser: { xmlMode: true, decodeEntities: true },
  allowedTags: svgTags,
  allowedAttributes: { "*": svgAttributes },
  // The library can't sanitize styles. They are checked below.
  allowVulnerableTags: true,
  parseStyleAttributes: false,
  allowedSchemes: [],
  nonTextTags: ["metadata", "script", "handler", "foreignObject"],
  enforceHtmlBoundary: false,
  onOpenTag: (name, attributes) => inspect(findings, name, attributes),
  onCloseTag: () => {
    findings.elements.close()
    findings.depth -= 1
  },
  transformTags: {
    "*": (tagName: string, attributes: Attributes): Tag => ({
      tagName,
      attribs: { ...withReferences(attributes), ...(tagName === "svg" ? { xmlns: NAMESPACE } : {}) }
    })
  }
})

const sanitizeOnce = (text: string): Exclude<Cleaned, { _tag: "TooComplex" }> & { readonly findings: Findings } => {
  const findings: Findings = {
    isUnsafe: false,
    depth: 0,
    roots: 0,
    isFlat: true,
    isDrawn: false,
    elements: new DrawnElements()
  }
  const drawing = sanitize(text, optionsFor(findings)).trim()
  if (findings.isUnsafe) return { _tag: "Refused", why: "logo_unsafe", findings }
  const isSingleDrawing =
    findings.roots === 1 &&
    findings.isFlat &&
    findings.isDrawn &&
    drawing.startsWith("<svg ") &&
    drawing.endsWith("</svg>")
  return isSingleDrawing && !notXml.test(drawing)
    ? { _tag: "Cleaned", text: drawing, findings }
    : { _tag: "Refused", why: "logo_broken", findings }
}

const stylesIn = (drawing: string): ReadonlyArray<string> =>
  [...drawing.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = ""]) => css)

/**
 * Cleans an SVG drawing: keeps the shapes, and removes what editors left behind. Rejects drawings that could run code or load
 * content (SEC-138), and drawings with so many repetitions that browsers would hang (SEC-250).
 */
export const cleanDrawing = (text: string): Cleaned => {
  if (notXml.test(text)) return { _tag: "Refused", why: "logo_broken" }
  // Entities could expand a small file enormously, or hide content.
  if (/<!ENTITY/i.test(text)) return { _tag: "Refused", why: "logo_unsafe" }
  const first = sanitizeOnce(text)
  if (first._tag === "Refused") return { _tag: "Refused", why: first.why }
  const drawing = first.text
  // The first pass misses content that a style hides, such as `</style>` in a CDATA section. The second pass finds it.
  const second = sanitizeOnce(drawing)
  const styles = stylesIn(drawing)
  const isSecondUnsafe = second._tag === "Refused" && second.why === "logo_unsafe"
  if (isSecondUnsafe || styles.some((css) => isUnsafe(css) || /[<&]/.test(css))) {
    return { _tag: "Refused", why: "logo_unsafe" }
  }
  if (second._tag === "Refused" || second.text !== drawing) return { _tag: "Refused", why: "logo_broken" }
  return second.findings.elements.isBounded(styles) ? { _tag: "Cleaned", text: drawing } : { _tag: "TooComplex" }
}
