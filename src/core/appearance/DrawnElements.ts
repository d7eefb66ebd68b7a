/** How many elements a drawing may show, each counted as often as it is shown. 64 KiB that repeat nothing have less than half. */
export const MAX_DRAWN = 20_000

/** How deep elements and references may be nested in one another. */
const MAX_DEPTH = 500

const shapes: ReadonlySet<string> = new Set("path rect circle ellipse line polyline polygon text tspan".split(" "))

/** The IDs of what an element and those in it are painted with. A style may set either, or something else. */
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
  /** The ID of what it repeats or extends. */
  readonly repeated: string | undefined
  /** The IDs of what it refers to besides, such as masks. */
  readonly applied: ReadonlyArray<string>
  readonly fill: ReadonlyArray<string> | undefined
  readonly stroke: ReadonlyArray<string> | undefined
  readonly style: ReadonlyArray<string>
}

/** The ID that a reference names, as browsers read it: without white space, and with `%61` for `a`. */
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

/** A style may end within `url(…`. */
const urls = /url\(([^)]*)/gi

const idsIn = (text: string): ReadonlyArray<string> => [...text.matchAll(urls)].map(([, url = ""]) => idIn(url))

/** The key of the elements that a selector can match: a class, an ID or a name. Undefined: any element. */
const keyOf = (selector: string): string | undefined => {
  const last =
    selector
      .trim()
      .split(/[\s>+~]/)
      .at(-1) ?? ""
  const [, named, name] = /^(?:[a-zA-Z]*([.#][\w-]+)|([a-zA-Z]+))$/.exec(last) ?? []
  return named ?? name
}

/** Whether a style sheet has more than plain rules, apart from texts in quotes. */
const hasUnclearRules = (css: string): boolean =>
  /@|\/\*|var\(|["']/.test(css.replace(/"[^"{}/]*"|'[^'{}/]*'/g, "")) ||
  css.split("}").some((rule) => rule.split("{").length > 2)

/** The IDs that a style sheet refers to, each with the key of the elements that this is for. */
const styleReferences = (css: string): ReadonlyArray<readonly [key: string | undefined, id: string]> =>
  hasUnclearRules(css)
    ? idsIn(css).map((id) => [undefined, id] as const)
    : css.split("}").flatMap((rule) => {
        const [selectors = ""] = rule.split("{")
        const keys = idsIn(selectors).length > 0 ? [undefined] : selectors.split(",").map(keyOf)
        return keys.flatMap((key) => idsIn(rule).map((id) => [key, id] as const))
      })

/** The elements of a drawing, and what they refer to (SEC-250). */
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

  /** Whether what is drawn stays below the bound, however often parts are repeated. `styles`: the style sheets. */
  isBounded(styles: ReadonlyArray<string>): boolean {
    const everywhere = new Set(this.#hasVariables ? this.#all.flatMap(({ style }) => style) : [])
    const styled = new Map<string, Array<string>>()
    for (const [key, id] of styles.flatMap(styleReferences)) {
      const hasElements = key !== undefined && (/^[.#]/.test(key) || this.#byKey.has(key))
      if (!hasElements || this.#hasVariables) everywhere.add(id)
      else styled.set(key, [...(styled.get(key) ?? []), id])
    }

    const paintsOf = (element: DrawnElement, inherited: Paints): Paints => {
      const own = [...element.style, ...element.keys.flatMap((key) => styled.get(key) ?? [])]
      return {
        fill: element.fill ?? inherited.fill,
        stroke: element.stroke ?? inherited.stroke,
        styled: own.length === 0 ? inherited.styled : new Set([...inherited.styled, ...own])
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
    /** Counts down what an element draws; false when there is too much of it. */
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
