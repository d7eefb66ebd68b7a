import { SchemaAST } from "effect"
import { annotatedProblem } from "./InvalidRequest.ts"

/** The JSON values that a schema accepts at one position. */
export interface Shape {
  /** The members of an object by name, or undefined if the schema names none. */
  readonly members: ReadonlyMap<string, Shape> | undefined
  /** Whether an object may have members that the schema does not name. */
  readonly allowsOthers: boolean
  /** The maximum length of a list and the shape of its elements, or undefined if the schema accepts no list. */
  readonly list: { readonly maximum: number; readonly element: Shape } | undefined
}

/** Marks an object in an external format, such as a browser's. Its schema does not have to name every member. */
export const FOREIGN = "x-foreign"

/** The maximum length of a list if the schema sets none. */
export const MAX_ELEMENTS = 100

const scalar: Shape = { members: undefined, allowsOthers: false, list: undefined }
const anything: Shape = { members: undefined, allowsOthers: true, list: undefined }

/** Returns whether the schema names nothing below this position. */
export const isLeaf = ({ members, list }: Shape): boolean => members === undefined && list === undefined

const mergeMembers = (one: Shape["members"], other: Shape["members"]): Shape["members"] => {
  if (one === undefined || other === undefined) return one ?? other
  const names = new Set([...one.keys(), ...other.keys()])
  return new Map([...names].map((name) => [name, mergeShapes([one.get(name) ?? scalar, other.get(name) ?? scalar])]))
}

const mergeLists = (one: Shape["list"], other: Shape["list"]): Shape["list"] =>
  one === undefined || other === undefined
    ? (one ?? other)
    : { maximum: Math.max(one.maximum, other.maximum), element: mergeShapes([one.element, other.element]) }

/** Returns the shape of a value that may match any of several schemas. */
export const mergeShapes = (shapes: ReadonlyArray<Shape>): Shape =>
  shapes.reduce(
    (all, one) => ({
      members: mergeMembers(all.members, one.members),
      allowsOthers: all.allowsOthers || one.allowsOthers,
      list: mergeLists(all.list, one.list)
    }),
    scalar
  )

const maximumOf = ({ checks }: SchemaAST.Arrays): number => {
  const bounds = (checks ?? []).flatMap(({ annotations }) => {
    const found = annotatedProblem(annotations)
    return found?.code === "too_many" ? Number(found.params?.["most"]) : []
  })
  return Math.min(...(bounds.length === 0 ? [MAX_ELEMENTS] : bounds))
}

/** Returns the shape of a value before decoding. */
export const shapeOf = (ast: SchemaAST.AST): Shape => {
  const encoded = ast.encoding?.at(-1)
  if (encoded !== undefined) return shapeOf(encoded.to)
  if (SchemaAST.isUnion(ast)) return mergeShapes(ast.types.map(shapeOf))
  if (SchemaAST.isArrays(ast)) {
    const element = mergeShapes([...ast.elements, ...ast.rest].map(shapeOf))
    return { ...scalar, list: { maximum: maximumOf(ast), element } }
  }
  if (SchemaAST.isObjects(ast)) {
    const members = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), shapeOf(type)]))
    const allowsOthers = ast.indexSignatures.length > 0 || ast.annotations?.[FOREIGN] === true
    return { members, allowsOthers, list: undefined }
  }
  return SchemaAST.isDeclaration(ast) || SchemaAST.isUnknown(ast) || SchemaAST.isSuspend(ast) ? anything : scalar
}

/** A list that exceeds its schema's maximum length. */
export interface LongList {
  readonly path: ReadonlyArray<string | number>
  readonly maximum: number
}

/** An object member that is not in the object's schema. */
export interface UnknownMember {
  readonly path: ReadonlyArray<string | number>
  readonly name: string
  /** The members that the object can have. */
  readonly known: ReadonlyMap<string, Shape>
}

/** The maximum number of findings of each kind to report. */
export const MAX_FINDINGS = 20

/**
 * The maximum total number of elements in all lists of a value. It is enough for a user with as many memberships as an export
 * contains, each with 20 permissions.
 */
export const MAX_VALUES_IN_BODY = 30_000

/** Compares a JSON value with a shape before decoding. The elements of a list that is too long are not checked. */
export class ShapeCheck {
  readonly long: Array<LongList> = []
  readonly unknown: Array<UnknownMember> = []
  readonly #path: Array<string | number> = []
  #elements = 0

  /** The total number of elements in all lists that are not too long. */
  get elements(): number {
    return this.#elements
  }

  /** Whether all lists together contain too many elements. */
  get hasTooMany(): boolean {
    return this.#elements > MAX_VALUES_IN_BODY
  }

  /** Compares a value with a shape at the current path. */
  check(value: unknown, shape: Shape): void {
    if (typeof value !== "object" || value === null || isLeaf(shape)) return
    if (Array.isArray(value)) {
      if (shape.list !== undefined) this.#checkList(value, shape.list)
    } else if (shape.members !== undefined) {
      for (const name in value) {
        const member = shape.members.get(name)
        if (member !== undefined) this.within(name, Reflect.get(value, name), member)
        else if (!shape.allowsOthers) this.report(name, shape.members)
      }
    }
  }

  /** Compares a member or an element of the value at the current path with a shape. */
  within(step: string | number, value: unknown, shape: Shape): void {
    if (typeof value !== "object" || value === null) return
    this.#path.push(step)
    this.check(value, shape)
    this.#path.pop()
  }

  /** Reports an unknown member of the object at the current path. */
  report(name: string, known: ReadonlyMap<string, Shape>): void {
    if (this.unknown.length < MAX_FINDINGS) this.unknown.push({ path: [...this.#path], name, known })
  }

  #checkList(list: ReadonlyArray<unknown>, { maximum: most, element }: NonNullable<Shape["list"]>): void {
    if (list.length > most) {
      if (this.long.length < MAX_FINDINGS) this.long.push({ path: [...this.#path], maximum: most })
      return
    }
    this.#elements += list.length
    if (this.hasTooMany || isLeaf(element)) return
    for (const [index, value] of list.entries()) this.within(index, value, element)
  }
}
