import type { ColumnRef } from "libpg-query"
import { textsIn } from "./ParsedSql.ts"

/**
 * What is known of a value in a statement. It is bound if parameters and constants determine it: by itself, by one of the values
 * that it equals (`any`), or since it is made of bound ones (`all`).
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

/** What parameters and constants alone make. */
export const GIVEN = new Value({ isBound: true })

/** Follows equalities until nothing more is found to be bound. */
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

/** The columns of tables, by the names of both; the first is the realm's, if the table has one. */
export interface Schema {
  readonly columns: ReadonlyMap<string, ReadonlyArray<string>>
  /** The column that tells the realm of a row. */
  readonly realmColumn: ReadonlyMap<string, string>
}

/** Something that a query reads from or writes to, under a name. */
export interface Relation {
  readonly name: string
  readonly columns: ReadonlyMap<string, Value>
  /** Stands for all columns whose names are not known, such as those of a function. */
  readonly others?: Value
  /** Columns that the query compares with something. */
  readonly comparedBy: Set<string>
}

/** What a query sees: its own relations, then those around it. */
export interface Scope {
  readonly relations: Array<Relation>
  readonly around: Scope | undefined
}

/** A column that a query names, with the relation that it is of. */
export interface Column {
  readonly value: Value
  readonly name: string
  readonly relation: Relation
  /** Whether it belongs to the query itself, not to one around it. */
  readonly isOwn: boolean
}

/** What a column reference stands for. Undefined if nothing is known of it, as of a whole row. */
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
