/**
 * The maximum number of elements a drawing may show, counting repetitions. A 64 KiB drawing without repetitions has fewer than
 * half as many.
 */
export const MAX_DRAWN = 20_000

/** The maximum nesting depth of elements and references. */
const MAX_DEPTH = 500

const shapes: ReadonlySet<string> = new Set("path rect circle ellipse line polyline polygon text tspan".split(" "))

/**
 * The IDs of the elements that paint an element and its children, such as patterns. `styled` are the IDs
 * referenced in styles, which may apply to any property.
 */
interface Paints {
  readonly fill: ReadonlyArray<string>
  readonly stroke: ReadonlyArray<string>
  readonly styled: ReadonlySet<string>
}

const unpainted: Paints = { fill: [], stroke: [], styled: new Set() }

interface DrawnElement {
  readonly name: string
  readonly parent: DrawnElement | undefined
  readonly parts: Array<DrawnElement>
  readonly keys: ReadonlyArray<string>
  /** The ID of the element that this element repeats or extends. */
  readonly repeated: string | undefined
  /** The IDs in other references, such as masks. */
  readonly applied: ReadonlyArray<string>
  readonly fill: ReadonlyArray<string> | undefined
  readonly stroke: ReadonlyArray<string> | undefined
  readonly style: ReadonlyArray<string>
}

/** Returns the ID in a reference. Like browsers, ignores white space and decodes `%61` as `a`. */
const idIn = (reference: string): string => {
  const fragment = reference
    .replace(/[\t\n\r"']/g, "")
    .trim()
    .replace(/^#/, "")
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Also matches an unclosed `url(…` at the end of a style. */
const urls = /url\(([^)]*)/gi

const idsIn = (text: string): ReadonlyArray<string> => [...text.matchAll(urls)].map(([, url = ""]) => idIn(url))

/** Returns the key of the elements that a selector can match: a class, an ID or a name. Undefined means any element. */
const keyOf = (selector: string): string | undefined => {
  const last =
    selector
      .trim()
      .split(/[\s>+~]/)
      .at(-1) ?? ""
  const [, named, name] = /^(?:[a-zA-Z]*([.#][\w-]+)|([a-zA-Z]+))$/.exec(last) ?? []
  return named ?? name
}

/** Returns whether a style sheet has anything but plain rules, ignoring quoted strings. */
const hasUnclearRules = (css: string): boolean =>
  /@|\/\*|var\(|["']/.test(css.replace(/"[^"{}/]*"|'[^'{}/]*'/g, "")) ||
  css.split("}").some((rule) => rule.split("{").length > 2)

/** The IDs that a style sheet refers to, each with the key of the elements to which the rule applies. */
const styleReferences = (css: string): ReadonlyArray<readonly [key: string | undefined, id: string]> =>
  hasUnclearRules(css)
    ? idsIn(css).map((id) => [undefined, id] as const)
    : css.split("}").flatMap((rule) => {
        const [selectors = ""] = rule.split("{")
        const keys = idsIn(selectors).length > 0 ? [undefined] : selectors.split(",").map(keyOf)
        return keys.flatMap((key) => idsIn(rule).map((id) => [key, id] as const))
      })

/** The elements of a drawing, and their references to each other (SEC-250). */
export class DrawnElements {
  readonly #all: Array<DrawnElement> = []
  readonly #byKey = new Map<string, Array<DrawnElement>>()
  #current: DrawnElement | undefined
  #hasVariables = false

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { href, id, fill, stroke, style = "", class: classes = "", ...others } = attributes
    const element: DrawnElement = {
      name,
      parent: this.#current,
      parts: [],
      keys: [name, ...(id === undefined ? [] : [`#${id}`]), ...classes.split(/\s+/).map((one) => `.${one}`)],
      repeated: href === undefined ? undefined : idIn(href),
      applied: Object.values(others).flatMap(idsIn),
      fill: fill === undefined ? undefined : idsIn(fill),
      stroke: stroke === undefined ? undefined : idsIn(stroke),
      style: idsIn(style)
    }
    this.#hasVariables ||= Object.values(attributes).some((value) => /var\(/i.test(value))
    this.#all.push(element)
    this.#current?.parts.push(element)
    this.#current = element
    for (const key of element.keys) {
      const known = this.#byKey.get(key)
      if (known === undefined) this.#byKey.set(key, [element])
      else known.push(element)
    }
  }

  close(): void {
    this.#current = this.#current?.parent
  }

  /**
   * Returns whether the number of drawn elements is within `MAX_DRAWN`, counting repetitions. `styles` are the style sheets.
   */
  isBounded(styles: ReadonlyArray<string>): boolean {
    const everywhere = new Set(this.#hasVariables ? this.#all.flatMap(({ style }) => style) : [])
    const stylesByKey = new Map<string, Array<string>>()
    for (const [key, id] of styles.flatMap(styleReferences)) {
      const hasElements = key !== undefined && (/^[.#]/.test(key) || this.#byKey.has(key))
      if (!hasElements || this.#hasVariables) everywhere.add(id)
      else stylesByKey.set(key, [...(stylesByKey.get(key) ?? []), id])
    }

    const paintsOf = (element: DrawnElement, inherited: Paints): Paints => {
      const ownStyles = [...element.style, ...element.keys.flatMap((key) => stylesByKey.get(key) ?? [])]
      return {
        fill: element.fill ?? inherited.fill,
        stroke: element.stroke ?? inherited.stroke,
        styled: ownStyles.length === 0 ? inherited.styled : new Set([...inherited.styled, ...ownStyles])
      }
    }
    const inheritedAt = ({ parent }: DrawnElement): Paints =>
      parent === undefined ? { ...unpainted, styled: everywhere } : paintsOf(parent, inheritedAt(parent))

    let left = MAX_DRAWN
    const drawsAll = (ids: Iterable<string>, depth: number, inherited?: Paints): boolean => {
      for (const id of ids) {
        for (const target of this.#byKey.get(`#${id}`) ?? []) {
          if (!draws(target, inherited ?? inheritedAt(target), depth)) return false
        }
      }
      return true
    }
    /** Counts an element and everything it draws. Returns false once the limit is exceeded. */
    const draws = (element: DrawnElement, inherited: Paints, depth: number): boolean => {
      left -= 1
      if (left < 0 || depth > MAX_DEPTH) return false
      const paints = paintsOf(element, inherited)
      const { name, repeated, applied, parts } = element
      const painted = shapes.has(name) ? [...paints.fill, ...paints.stroke, ...paints.styled] : []
      return (
        drawsAll([...applied, ...painted], depth + 1) &&
        drawsAll(repeated === undefined ? [] : [repeated], depth + 1, paints) &&
        parts.every((part) => draws(part, paints, depth + 1))
      )
    }
    return this.#all.every((element) => element.parent !== undefined || draws(element, inheritedAt(element), 0))
  }
}
