import type { ColumnRef } from "libpg-query"
import { textsIn } from "./ParsedSql.ts"

/**
 * A value in a statement. It is bound if parameters and constants determine it: directly, through an equal value
 * (`any`), or because all its parts are bound (`all`).
 */
export class Value {
  isBound: boolean
  readonly any: Array<Value> = []
  readonly all: ReadonlyArray<Value> | undefined

  constructor(given: { readonly isBound?: boolean; readonly all?: ReadonlyArray<Value> } = {}) {
    this.isBound = given.isBound ?? false
    this.all = given.all
  }
}

/** The value of an expression that contains only parameters and constants. */
export const GIVEN = new Value({ isBound: true })

/** Follows equalities until no further value becomes bound. */
export const settle = (values: Iterable<Value>): void => {
  const all = [...values]
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const value of all) {
      if (value.isBound) continue
      value.isBound = value.any.some(({ isBound }) => isBound) || (value.all?.every(({ isBound }) => isBound) ?? false)
      isChanged ||= value.isBound
    }
  }
}

/** The columns of tables, by table and column name. The realm column comes first, if the table has one. */
export interface Schema {
  readonly columns: ReadonlyMap<string, ReadonlyArray<string>>
  /** The column with the realm of a row. */
  readonly realmColumn: ReadonlyMap<string, string>
}

/** A relation that a query reads or writes, under a name. */
export interface Relation {
  readonly name: string
  readonly columns: ReadonlyMap<string, Value>
  /** Represents all columns with unknown names, such as those of a function. */
  readonly others?: Value
  /** Columns that the query compares with something. */
  readonly comparedBy: Set<string>
}

/** The relations visible in a query: its own, then those of the queries around it. */
export interface Scope {
  readonly relations: Array<Relation>
  readonly around: Scope | undefined
}

/** A column that a query names, with its relation. */
export interface Column {
  readonly value: Value
  readonly name: string
  readonly relation: Relation
  /** Whether the relation belongs to the query itself rather than to an outer one. */
  readonly isOwn: boolean
}

/** Resolves a column reference. Returns undefined if it is unknown, as for a whole row. */
export const columnOf = ({ fields }: ColumnRef, scope: Scope): Column | undefined => {
  const names = textsIn(fields)
  const [of, name] = names.length > 1 ? [names.at(-2), names.at(-1)] : [undefined, names[0]]
  if (name === undefined || name === "*") return undefined
  const find = (valueIn: (relation: Relation) => Value | undefined): Column | undefined => {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.around) {
      for (const relation of at.relations) {
        const value = of === undefined || relation.name === of ? valueIn(relation) : undefined
        if (value !== undefined) return { value, name, relation, isOwn: at === scope }
      }
    }
    return undefined
  }
  return find(({ columns }) => columns.get(name)) ?? find(({ others }) => others)
}
