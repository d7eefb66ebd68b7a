import type { Node } from "libpg-query"
import { textsIn } from "./ParsedSql.ts"
import { GIVEN, type Relation, type Value } from "./Relations.ts"

/** The columns that a query returns, by name and by position. `others` represents unknown names. */
export interface Outputs {
  readonly columns: ReadonlyMap<string, Value>
  readonly inOrder: ReadonlyArray<Value>
  readonly others: Value | undefined
}

/** Creates a value of the statement that is being read. */
export type Made = (given?: ConstructorParameters<typeof Value>[0]) => Value

export const NONE: Outputs = { columns: new Map(), inOrder: [], others: undefined }

/** Derives a query's outputs, as its surroundings see them. */
export const outputsBy = (made: Made) => {
  /** A value that a query passes on. `isTransparent` means that binding the output also binds the input. */
  const passed = (from: Value, into?: Value) => {
    const output = made()
    output.any.push(from)
    into?.any.push(output)
    return output
  }

  const derived = (name: string, { columns, inOrder, others }: Outputs, renamed: ReadonlyArray<string>): Relation => ({
    name,
    columns: new Map([
      ...[...columns].map(([column, value]) => [column, passed(value, value)] as const),
      ...renamed.map((column, index) => [column, passed(inOrder[index] ?? made())] as const)
    ]),
    comparedBy: new Set(),
    ...(others === undefined ? {} : { others })
  })

  /** The rows that a recursive query has found so far. Their realm is unknown. */
  const rowsBefore = (names: ReadonlyArray<Node> | undefined): Outputs => {
    const inOrder = textsIn(names).map(() => made())
    const columns = new Map(textsIn(names).map((name, index) => [name, inOrder[index] ?? made()]))
    return { columns, inOrder, others: names === undefined ? made() : undefined }
  }

  const sealed = ({ columns, inOrder, others }: Outputs, renamed: ReadonlyArray<string>): Outputs => {
    const copies = new Map([...new Set([...columns.values(), ...inOrder])].map((value) => [value, passed(value)]))
    const copy = (value: Value) => copies.get(value) ?? value
    return {
      columns: new Map([
        ...[...columns].map(([name, value]) => [name, copy(value)] as const),
        ...renamed.map((name, index) => [name, copy(inOrder[index] ?? made())] as const)
      ]),
      inOrder: inOrder.map(copy),
      others
    }
  }

  /** The concatenated rows of several queries. */
  const united = (sides: ReadonlyArray<Outputs>, isCutOff: boolean): Outputs => {
    const [first = NONE] = sides
    const names = [...first.columns.keys()]
    const inOrder = first.inOrder.map((_, index) => {
      const parts = sides.map((side) => side.inOrder[index] ?? made())
      const value = made({ all: parts })
      if (!isCutOff) for (const part of parts) part.any.push(value)
      return value
    })
    const byName = names.map((name) => {
      const at = first.inOrder.indexOf(first.columns.get(name) ?? GIVEN)
      return [name, inOrder[at] ?? made()] as const
    })
    return { columns: new Map(byName), inOrder, others: undefined }
  }

  return { derived, passed, rowsBefore, sealed, united }
}
