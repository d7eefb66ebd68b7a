import { Result } from "effect"
import { decodeReferences, hasForbiddenCharacters } from "./XmlText.ts"

/** An element of an XML document. Names are without prefixes. */
export interface XmlElement {
  readonly name: string
  /** The namespace, or an empty string. */
  readonly namespace: string
  /** The attributes. The names of those in a namespace have the form `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<XmlElement>
  /** The text directly in the element. */
  readonly text: string
}

/** Why a document isn't read. */
export type XmlProblem =
  | "encoding"
  | "doctype"
  | "processing_instruction"
  | "comment"
  | "cdata"
  | "malformed"
  | "too_deep"
  | "too_large"
  | "duplicate_id"

/** The limits of a document. */
export interface XmlLimits {
  readonly elements: number
  /** Whether comments are allowed between elements. They are never allowed beside text. */
  readonly comments: boolean
}

const MAX_DEPTH = 32
const MAX_ATTRIBUTES = 64

const XML = "http://www.w3.org/XML/1998/namespace"
const XMLNS = "http://www.w3.org/2000/xmlns/"

const DECLARATION =
  /<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']([\w.-]+)["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/y
const START = /<((?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*)/y
const ATTRIBUTE = /[ \t\n]+((?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*)[ \t\n]*=[ \t\n]*(?:"([^<"]*)"|'([^<']*)')/y
const START_END = /[ \t\n]*(\/?)>/y
const END = /<\/((?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*)[ \t\n]*>/y
const TEXT = /[^<]+/y
const COMMENT = /<!--(?:[^-]|-[^-])*-->/y

/** An element whose end hasn't been read. */
interface OpenElement extends XmlElement {
  readonly tag: string
  readonly scope: ReadonlyMap<string, string>
  readonly attributes: Map<string, string>
  readonly children: Array<XmlElement>
  text: string
  hasComment: boolean
}

class Unreadable {
  readonly problem: XmlProblem
  constructor(problem: XmlProblem) {
    this.problem = problem
  }
}

const fail = (problem: XmlProblem): never => {
  throw new Unreadable(problem)
}

/** Splits a qualified name into its prefix and local name. */
const split = (name: string): readonly [prefix: string, local: string] => {
  const colon = name.indexOf(":")
  return [name.slice(0, Math.max(colon, 0)), name.slice(colon + 1)]
}

const isBlank = (text: string): boolean => !/[^ \t\n\r]/.test(text)

/** Names the construct at a place where neither an element, an end nor text begins. */
const constructAt = (text: string, at: number): XmlProblem => {
  if (text.startsWith("<?", at)) return "processing_instruction"
  if (text.startsWith("<!--", at)) return "comment"
  if (text.startsWith("<![CDATA[", at)) return "cdata"
  return /<!doctype/iy.test(text.slice(at, at + 9)) ? "doctype" : "malformed"
}

/** Reads one document. Unlike lenient parsers, it never guesses: everything is either in the grammar or a problem. */
class Reader {
  readonly #text: string
  readonly #limits: XmlLimits
  readonly #ids = new Set<string>()
  #at = 0
  #elements = 0

  constructor(text: string, limits: XmlLimits) {
    // XML 1.0, 2.11: line ends are normalized before parsing.
    this.#text = text.replaceAll(/\r\n?/g, "\n")
    this.#limits = limits
  }

  read(): XmlElement {
    if (hasForbiddenCharacters(this.#text)) return fail("malformed")
    const [declaration, encoding = "utf-8"] = this.#match(DECLARATION) ?? []
    if (declaration !== undefined && encoding.toLowerCase() !== "utf-8") return fail("encoding")
    this.#skipMisc()
    const root = this.#start() ?? fail(constructAt(this.#text, this.#at))
    const open = root.isEmpty ? [] : [root.element]
    for (let current = open.at(-1); current !== undefined; current = open.at(-1)) this.#content(current, open)
    this.#skipMisc()
    return this.#at === this.#text.length ? root.element : fail(constructAt(this.#text, this.#at))
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  #comment(): boolean {
    return this.#limits.comments && this.#match(COMMENT) !== undefined
  }

  /** Skips white space and comments outside the root element. */
  #skipMisc(): void {
    do this.#match(/[ \t\n]*/y)
    while (this.#comment())
  }

  /** Reads one piece of an element's content: text, a child, a comment or the end. */
  #content(current: OpenElement, open: Array<OpenElement>): void {
    const [text] = this.#match(TEXT) ?? []
    if (text !== undefined) {
      current.text += text.includes("]]>") ? fail("malformed") : (decodeReferences(text) ?? fail("malformed"))
      return
    }
    const [, ended] = this.#match(END) ?? []
    if (ended !== undefined) {
      if (ended !== current.tag) fail("malformed")
      if (current.hasComment && !isBlank(current.text)) fail("comment")
      open.pop()
      return
    }
    const child = this.#start(current.scope)
    if (child !== undefined) {
      current.children.push(child.element)
      if (!child.isEmpty && open.push(child.element) > MAX_DEPTH) fail("too_deep")
      return
    }
    if (!this.#comment()) fail(constructAt(this.#text, this.#at))
    current.hasComment = true
  }

  /** Reads a start tag, if there is one. */
  #start(outer: ReadonlyMap<string, string> = new Map([["xml", XML]])) {
    const [, tag] = this.#match(START) ?? []
    if (tag === undefined) return undefined
    if (++this.#elements > this.#limits.elements) return fail("too_large")
    const written = new Map<string, string>()
    for (let found = this.#match(ATTRIBUTE); found !== undefined; found = this.#match(ATTRIBUTE)) {
      const [, name = "", double, single] = found
      // XML 1.0, 3.3.3: white space in an attribute is a space, unless it is written as a reference.
      const value = decodeReferences((double ?? single ?? "").replaceAll(/[\t\n]/g, " ")) ?? fail("malformed")
      if (written.has(name)) fail("malformed")
      if (written.set(name, value).size > MAX_ATTRIBUTES) fail("too_large")
    }
    const [, slash] = this.#match(START_END) ?? fail("malformed")
    const scope = this.#scope(outer, written)
    const [prefix, name] = split(tag)
    const namespace = scope.get(prefix) ?? (prefix === "" ? "" : fail("malformed"))
    const attributes = this.#attributes(scope, written)
    const element: OpenElement = { name, namespace, attributes, children: [], text: "", tag, scope, hasComment: false }
    return { element, isEmpty: slash === "/" }
  }

  /** Adds an element's namespace declarations to those of the elements around it. */
  #scope(outer: ReadonlyMap<string, string>, written: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const declared = [...written].filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"))
    if (declared.length === 0) return outer
    const scope = new Map(outer)
    for (const [name, uri] of declared) {
      const prefix = name === "xmlns" ? "" : split(name)[1]
      const isReserved = prefix === "xmlns" || prefix === "xml" || uri === XML || uri === XMLNS
      if (isReserved || (prefix !== "" && uri === "")) fail("malformed")
      scope.set(prefix, uri)
    }
    return scope
  }

  #attributes(scope: ReadonlyMap<string, string>, written: ReadonlyMap<string, string>): Map<string, string> {
    const attributes = new Map<string, string>()
    for (const [tag, value] of written) {
      const [prefix, name] = split(tag)
      if (tag === "xmlns" || prefix === "xmlns") continue
      // Some libraries take every attribute whose name begins like this for a declaration.
      if (name.startsWith("xmlns")) fail("malformed")
      const full = prefix === "" ? name : `{${scope.get(prefix) ?? fail("malformed")}}${name}`
      if (attributes.has(full)) fail("malformed")
      attributes.set(full, value)
      if (name.toLowerCase() === "id") {
        if (this.#ids.has(value)) fail("duplicate_id")
        this.#ids.add(value)
      }
    }
    return attributes
  }
}

/**
 * Reads an XML document strictly, with namespaces. Document types, processing instructions and CDATA sections are problems, as are
 * names outside of ASCII, which SAML doesn't use.
 */
export const readXml = (text: string, limits: XmlLimits): Result.Result<XmlElement, XmlProblem> => {
  try {
    return Result.succeed(new Reader(text, limits).read())
  } catch (error) {
    if (error instanceof Unreadable) return Result.fail(error.problem)
    throw error
  }
}

/** The children of an element with a name. */
export const childrenOf = (parent: XmlElement, namespace: string, name: string): ReadonlyArray<XmlElement> =>
  parent.children.filter((child) => child.name === name && child.namespace === namespace)

/** The only child of an element with a name, or undefined if there is none or more than one. */
export const childOf = (parent: XmlElement, namespace: string, name: string): XmlElement | undefined => {
  const found = childrenOf(parent, namespace, name)
  return found.length === 1 ? found[0] : undefined
}

/** An element and all elements in it, in the order of the document. */
export const elementsOf = (root: XmlElement): ReadonlyArray<XmlElement> => [root, ...root.children.flatMap(elementsOf)]
