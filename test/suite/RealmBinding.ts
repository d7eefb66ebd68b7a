import type {
  CommonTableExpr,
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeFunction,
  RangeSubselect,
  RangeVar,
  SelectStmt,
  UpdateStmt,
  WithClause
} from "libpg-query"
import { type Ctes, conditionsOf, membersOf, type Reach } from "./Conditions.ts"
import { NONE, type Outputs, outputsBy } from "./Outputs.ts"
import { isColumn, isTable, kindOf, partsIn, tablesIn, textsIn } from "./ParsedSql.ts"
import { GIVEN, type Relation, type Schema, type Scope, settle, Value } from "./Relations.ts"

/** A tenant table that a statement reads or writes. */
export interface Reference {
  readonly table: string
  /** The realm of its rows. */
  readonly realm: Value
  /** The columns by which its rows are found, sorted by name. */
  readonly comparedBy: ReadonlySet<string>
}

/** A statement's use of tenant tables. */
export interface Analysis {
  readonly references: ReadonlyArray<Reference>
  /** All values that equalities may bind, for `settle`. */
  readonly values: ReadonlyArray<Value>
  /** Forbidden uses of tables regardless of bindings, and constructs that the gate can't read. */
  readonly problems: ReadonlyArray<{ readonly table?: string; readonly what: string }>
}

/** Determines how a statement finds the rows of each tenant table. Unknown constructs are reported as problems. */
export const analyze = (statement: Node, schema: Schema): Analysis => {
  const references: Array<Reference> = []
  const values: Array<Value> = []
  const problems: Array<Analysis["problems"][number]> = []
  const unreadable = (what: string) => problems.push({ what: `${what}, which the gate can't read` })
  const seen: Array<string> = []

  const made = (given: ConstructorParameters<typeof Value>[0] = {}) => {
    const value = new Value(given)
    values.push(value)
    return value
  }

  const { derived, passed, rowsBefore, sealed, united } = outputsBy(made)
  const { asColumn, compareBy, condition, valueOf, visit } = conditionsOf({
    made,
    query: (node, around, ctes) => query(node, around, ctes)
  })

  const table = ({ relname = "", alias }: RangeVar): Relation => {
    const known = schema.columns.get(relname)
    const columns = new Map((known === undefined ? [] : [...known, "ctid"]).map((name) => [name, made()]))
    const comparedBy = new Set<string>()
    const realm = columns.get(schema.realmColumn.get(relname) ?? "")
    if (realm !== undefined) references.push({ table: relname, realm, comparedBy })
    const name = alias?.aliasname ?? relname
    return columns.size > 0 ? { name, columns, comparedBy } : { name, columns, comparedBy, others: made() }
  }

  const rangeVar = (node: RangeVar, ctes: Ctes): Relation => {
    const { relname = "", schemaname } = node
    seen.push(relname)
    const cte = schemaname === undefined ? ctes.get(relname) : undefined
    return cte === undefined
      ? table(node)
      : derived(node.alias?.aliasname ?? relname, cte, textsIn(node.alias?.colnames))
  }

  const join = (node: JoinExpr, scope: Scope, ctes: Ctes): ReadonlyArray<Relation> => {
    const left = from(node.larg, scope, ctes)
    const right = from(node.rarg, scope, ctes)
    const reach: Reach = (relation) =>
      node.jointype === "JOIN_INNER" ||
      (node.jointype === "JOIN_LEFT" && right.includes(relation)) ||
      (node.jointype === "JOIN_RIGHT" && left.includes(relation))
    condition(node.quals, scope, ctes, reach)
    if (node.isNatural === true || node.alias !== undefined) unreadable("a natural or named join")
    for (const name of textsIn(node.usingClause)) {
      const [one, other] = [left, right].map((side) => side.find(({ columns }) => columns.has(name)))
      const [a, b] = [one?.columns.get(name), other?.columns.get(name)]
      if (one === undefined || other === undefined || a === undefined || b === undefined) continue
      if (reach(one)) a.any.push(b)
      if (reach(other)) b.any.push(a)
    }
    return [...left, ...right]
  }

  const rangeFunction = (node: RangeFunction, scope: Scope, ctes: Ctes): Relation => {
    const { alias, coldeflist, functions } = node
    const value = valueOf({ List: { items: [...(functions ?? [])] } }, scope, ctes)
    const listed = (coldeflist ?? []).flatMap((def) => ("ColumnDef" in def ? [def.ColumnDef.colname ?? ""] : []))
    const named = [...textsIn(alias?.colnames), ...listed]
    const name = alias?.aliasname ?? ""
    const columns = new Map((named.length > 0 ? named : [name]).map((column) => [column, value]))
    return { name, columns, comparedBy: new Set(), ...(named.length > 0 ? {} : { others: value }) }
  }

  const rangeSubselect = ({ alias, lateral, subquery }: RangeSubselect, scope: Scope, ctes: Ctes): Relation => {
    const outputs = query(subquery, lateral === true ? scope : scope.around, ctes)
    return derived(alias?.aliasname ?? "", outputs, textsIn(alias?.colnames))
  }

  /** Adds the relations of a `from` to a scope, and returns them. */
  const from = (node: Node | undefined, scope: Scope, ctes: Ctes): ReadonlyArray<Relation> => {
    if (node === undefined) return []
    if ("JoinExpr" in node) return join(node.JoinExpr, scope, ctes)
    const relation = isTable(node)
      ? rangeVar(node.RangeVar, ctes)
      : "RangeSubselect" in node
        ? rangeSubselect(node.RangeSubselect, scope, ctes)
        : "RangeFunction" in node
          ? rangeFunction(node.RangeFunction, scope, ctes)
          : undefined
    if (relation === undefined) unreadable(`a ${kindOf(node)}`)
    else scope.relations.push(relation)
    return relation === undefined ? [] : [relation]
  }

  const withClause = (clause: WithClause | undefined, around: Scope | undefined, ctes: Ctes): Ctes => {
    const known = new Map(ctes)
    for (const node of clause?.ctes ?? []) {
      if (!("CommonTableExpr" in node)) continue
      const { aliascolnames, ctename = "", ctequery }: CommonTableExpr = node.CommonTableExpr
      if (clause?.recursive === true) known.set(ctename, rowsBefore(aliascolnames))
      const outputs = query(ctequery, around, known)
      // A condition on a named query in one place doesn't restrict the query's rows elsewhere.
      known.set(ctename, sealed(outputs, textsIn(aliascolnames)))
    }
    return known
  }

  const query = (node: Node | undefined, around: Scope | undefined, ctes: Ctes): Outputs => {
    if (node === undefined) return NONE
    if ("SelectStmt" in node) return select(node.SelectStmt, around, ctes)
    if ("InsertStmt" in node) return insert(node.InsertStmt, around, ctes)
    if ("UpdateStmt" in node) return change(node.UpdateStmt, node.UpdateStmt.fromClause, around, ctes)
    if ("DeleteStmt" in node) return change(node.DeleteStmt, node.DeleteStmt.usingClause, around, ctes)
    unreadable(`a ${kindOf(node)}`)
    return NONE
  }

  const select = (node: SelectStmt, around: Scope | undefined, outer: Ctes): Outputs => {
    const ctes = withClause(node.withClause, around, outer)
    const scope: Scope = { relations: [], around }
    const rest = [node.sortClause, node.limitCount, node.limitOffset]
    if (node.larg !== undefined || node.rarg !== undefined) {
      const sides = [node.larg, node.rarg].map((side) => select(side ?? {}, around, ctes))
      visit(rest, scope, ctes)
      return united(sides, isCut(node))
    }
    if (node.valuesLists !== undefined) {
      const rows = node.valuesLists.map((row) => membersOf(row).map((member) => valueOf(member, scope, ctes)))
      const inOrder = (rows[0] ?? []).map((_, index) => made({ all: rows.map((row) => row[index] ?? GIVEN) }))
      return {
        columns: new Map(inOrder.map((value, index) => [`column${index + 1}`, value])),
        inOrder,
        others: undefined
      }
    }
    for (const item of node.fromClause ?? []) from(item, scope, ctes)
    condition(node.whereClause, scope, ctes)
    compareBy([node.sortClause, partsIn(node.targetList, isExtreme)], scope)
    visit([node.havingClause, node.groupClause, node.windowClause, node.distinctClause, ...rest], scope, ctes)
    return targets(node.targetList, scope, ctes, isCut(node))
  }

  const targets = (list: ReadonlyArray<Node> | undefined, scope: Scope, ctes: Ctes, isCutOff: boolean): Outputs => {
    const columns = new Map<string, Value>()
    const inOrder: Array<Value> = []
    const others: Array<Value> = []
    for (const node of list ?? []) {
      if (!("ResTarget" in node)) continue
      const { name, val } = node.ResTarget
      const star = val !== undefined && isColumn(val) ? textsIn(val.ColumnRef.fields) : []
      if (star.at(-1) === "*") {
        for (const relation of scope.relations.filter((each) => star.length === 1 || each.name === star.at(-2))) {
          for (const [column, value] of relation.columns) {
            const output = passed(value, isCutOff ? undefined : value)
            columns.set(column, output)
            inOrder.push(output)
          }
          if (relation.others !== undefined) others.push(relation.others)
        }
        continue
      }
      const column = asColumn(val, scope)
      const value = valueOf(val, scope, ctes)
      const output = passed(value, column?.isOwn === true && !isCutOff ? value : undefined)
      columns.set(name ?? column?.name ?? "", output)
      inOrder.push(output)
    }
    return { columns, inOrder, others: others.length === 1 ? others[0] : undefined }
  }

  const insert = (node: InsertStmt, around: Scope | undefined, outer: Ctes): Outputs => {
    const ctes = withClause(node.withClause, around, outer)
    const target = rangeVar(node.relation ?? {}, new Map())
    const source = query(node.selectStmt, around, ctes)
    const { relname = "" } = node.relation ?? {}
    const named = (node.cols ?? []).flatMap((col) => ("ResTarget" in col ? [col.ResTarget.name ?? ""] : []))
    const names = named.length > 0 ? named : (schema.columns.get(relname) ?? [])
    names.forEach((name, index) => {
      const value = source.inOrder[index] ?? (source.others === undefined ? undefined : source.others)
      if (value !== undefined) target.columns.get(name)?.any.push(value)
    })
    const scope: Scope = { relations: [target, { ...target, name: "excluded" }], around }
    const { onConflictClause: conflict } = node
    if (conflict !== undefined) {
      const elements = (conflict.infer?.indexElems ?? []).flatMap((each) =>
        "IndexElem" in each ? [each.IndexElem.name] : []
      )
      const realm = schema.realmColumn.get(relname)
      if (conflict.action === "ONCONFLICT_UPDATE" && realm !== undefined && !elements.includes(realm)) {
        problems.push({ table: relname, what: `a conflict on ${relname} that does not include the realm` })
      }
      assign(relname, conflict.targetList, scope, ctes)
      visit([conflict.whereClause], scope, ctes)
    }
    return targets(node.returningClause?.exprs, { relations: [target], around }, ctes, true)
  }

  const change = (
    node: UpdateStmt | DeleteStmt,
    others: ReadonlyArray<Node> | undefined,
    around: Scope | undefined,
    outer: Ctes
  ): Outputs => {
    const ctes = withClause(node.withClause, around, outer)
    const scope: Scope = { relations: [rangeVar(node.relation ?? {}, new Map())], around }
    for (const item of others ?? []) from(item, scope, ctes)
    condition(node.whereClause, scope, ctes)
    if ("targetList" in node) assign(node.relation?.relname ?? "", node.targetList, scope, ctes)
    return targets(node.returningClause?.exprs, scope, ctes, true)
  }

  /** Reads the columns that a statement sets. Rows must never move to another realm. */
  const assign = (of: string, list: ReadonlyArray<Node> | undefined, scope: Scope, ctes: Ctes): void => {
    visit([list], scope, ctes)
    const names = (list ?? []).flatMap((node) => ("ResTarget" in node ? [node.ResTarget.name] : []))
    const realm = schema.realmColumn.get(of)
    if (realm !== undefined && names.includes(realm)) {
      problems.push({ table: of, what: `rows of ${of} may move to another realm` })
    }
  }

  query(statement, undefined, new Map())
  const all = tablesIn(statement)
  if (all.length !== seen.length) unreadable(`tables in ${all.length - seen.length} places`)
  settle(values)
  return { references, values, problems }
}

/** Returns whether a node calls a function that finds the first or last row. */
const isExtreme = (part: object): part is { readonly funcname: ReadonlyArray<Node> } =>
  "funcname" in part && /"(?:min|max)"/.test(JSON.stringify(part.funcname))

/**
 * Returns whether a query drops rows after its conditions are applied, so that an outer condition can't replace an
 * inner one.
 */
const isCut = (node: SelectStmt): boolean =>
  [node.limitCount, node.limitOffset, node.groupClause, node.distinctClause, node.windowClause].some(
    (each) => each !== undefined
  ) || partsIn(node.targetList, (part): part is { readonly over: object } => "over" in part).length > 0
