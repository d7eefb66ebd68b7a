import type { A_Expr, Node, SubLink } from "libpg-query"
import type { Made, Outputs } from "./Outputs.ts"
import { isColumn, isSubLink, partsIn, textsIn } from "./ParsedSql.ts"
import { type Column, columnOf, GIVEN, type Relation, type Scope, type Value } from "./Relations.ts"

export type Ctes = ReadonlyMap<string, Outputs>

/** Returns whether equalities in a condition can bind a relation. */
export type Reach = (relation: Relation) => boolean

const everywhere: Reach = () => true

/** The context of a condition within its statement. */
interface Surroundings {
  readonly made: Made
  readonly query: (node: Node | undefined, around: Scope | undefined, ctes: Ctes) => Outputs
}

/** Reads the conditions and expressions of one statement. */
export const conditionsOf = ({ made, query }: Surroundings) => {
  const queries = new Map<SubLink, Outputs>()

  const valueOf = (node: Node | undefined, scope: Scope, ctes: Ctes): Value => {
    const column = asColumn(node, scope)
    if (column !== undefined) return column.value
    const parts: Array<Value> = []
    for (const link of partsIn(node, isSubLink)) parts.push(subLink(link.SubLink, scope, ctes).inOrder[0] ?? GIVEN)
    for (const part of outsideQueries(node)) parts.push(columnOf(part.ColumnRef, scope)?.value ?? made())
    return parts.length === 0 ? GIVEN : made({ all: parts })
  }

  const asColumn = (node: Node | undefined, scope: Scope): Column | undefined => {
    if (node === undefined) return undefined
    if ("TypeCast" in node) return asColumn(node.TypeCast.arg, scope)
    if ("CollateClause" in node) return asColumn(node.CollateClause.arg, scope)
    return "ColumnRef" in node ? columnOf(node.ColumnRef, scope) : undefined
  }

  const subLink = (link: SubLink, scope: Scope, ctes: Ctes): Outputs => {
    const known = queries.get(link)
    if (known !== undefined) return known
    const found = query(link.subselect, scope, ctes)
    queries.set(link, found)
    visit([link.testexpr], scope, ctes)
    return found
  }

  /** Reads the queries within expressions. */
  const visit = (nodes: ReadonlyArray<unknown>, scope: Scope, ctes: Ctes): void => {
    for (const link of partsIn(nodes, isSubLink)) subLink(link.SubLink, scope, ctes)
  }

  /** Records the columns by which rows of this query are found. */
  const compareBy = (tree: unknown, scope: Scope): void => {
    for (const part of outsideQueries(tree)) {
      const column = columnOf(part.ColumnRef, scope)
      if (column?.isOwn === true) column.relation.comparedBy.add(column.name)
    }
  }

  /** Records the equalities in a condition. `reach` selects the relations whose rows the condition restricts. */
  const condition = (node: Node | undefined, scope: Scope, ctes: Ctes, reach: Reach = everywhere): void => {
    if (node === undefined) return
    if ("BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR") {
      for (const arg of node.BoolExpr.args ?? []) condition(arg, scope, ctes, reach)
      return
    }
    visit([node], scope, ctes)
    compareBy(node, scope)
    if ("A_Expr" in node) comparison(node.A_Expr, scope, ctes, reach)
    if ("SubLink" in node && node.SubLink.subLinkType === "ANY_SUBLINK" && operatorOf(node.SubLink.operName) === "=") {
      const { inOrder } = subLink(node.SubLink, scope, ctes)
      membersOf(node.SubLink.testexpr).forEach((member, index) => bind(member, inOrder[index], scope, reach))
    }
  }

  const comparison = ({ kind, name, lexpr, rexpr }: A_Expr, scope: Scope, ctes: Ctes, reach: Reach): void => {
    if (operatorOf(name) !== "=") return
    const [left, right] = [membersOf(lexpr), membersOf(rexpr)]
    if (kind === "AEXPR_OP") {
      left.forEach((member, index) => {
        bind(member, valueOf(right[index], scope, ctes), scope, reach)
        bind(right[index], valueOf(member, scope, ctes), scope, reach)
      })
    } else if (kind === "AEXPR_OP_ANY") {
      bind(lexpr, valueOf(rexpr, scope, ctes), scope, reach)
    } else if (kind === "AEXPR_IN" && rexpr !== undefined && "List" in rexpr) {
      const rows = (rexpr.List.items ?? []).map(membersOf)
      left.forEach((member, index) => {
        const all = rows.map((row) => valueOf(row[index], scope, ctes))
        bind(member, made({ all }), scope, reach)
      })
    }
  }

  /** Records that an expression equals a value if it is a column of this query. */
  const bind = (node: Node | undefined, value: Value | undefined, scope: Scope, reach: Reach): void => {
    const column = asColumn(node, scope)
    if (value !== undefined && column?.isOwn === true && reach(column.relation)) column.value.any.push(value)
  }

  return { asColumn, compareBy, condition, valueOf, visit }
}

/** The members of a row, or the expression itself. */
export const membersOf = (node: Node | undefined): ReadonlyArray<Node> => {
  if (node === undefined) return []
  if ("RowExpr" in node) return node.RowExpr.args ?? []
  return "List" in node ? (node.List.items ?? []) : [node]
}

const operatorOf = (name: ReadonlyArray<Node> | undefined): string => textsIn(name).at(-1) ?? "="

/** The columns in an expression, without those in its subqueries. */
const outsideQueries = (tree: unknown) =>
  partsIn(tree, (part): part is object => isSubLink(part) || isColumn(part)).filter(isColumn)
