import { type ColumnRef, loadModule, type Node, parseSync, type RangeVar, type SubLink } from "libpg-query"

// PostgreSQL's own parser, compiled to WebAssembly.
await loadModule()

/** The statements of a text as PostgreSQL parses them. Throws on a syntax error. */
export const parsed = (text: string): ReadonlyArray<Node> =>
  (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]))

/** The kind of a node, such as `SelectStmt`. */
export const kindOf = (node: Node): string => Object.keys(node)[0] ?? ""

/** The texts of a list of nodes, for example the parts of a qualified name. Stars are included. */
export const textsIn = (nodes: ReadonlyArray<Node> = []): ReadonlyArray<string> =>
  nodes.flatMap((node) => ("String" in node ? [node.String.sval ?? ""] : "A_Star" in node ? ["*"] : []))

export const isSubLink = (part: object): part is { readonly SubLink: SubLink } => "SubLink" in part

export const isColumn = (part: object): part is { readonly ColumnRef: ColumnRef } => "ColumnRef" in part

export const isTable = (part: object): part is { readonly RangeVar: RangeVar } => "RangeVar" in part

const isWritten = (part: object): part is { readonly relation: RangeVar } => "relation" in part

/** The outermost parts of a tree for which `is` returns true, in order. */
export const partsIn = <A extends object>(tree: unknown, is: (part: object) => part is A): ReadonlyArray<A> => {
  if (typeof tree !== "object" || tree === null) return []
  return is(tree) ? [tree] : Object.values(tree).flatMap((part) => partsIn(part, is))
}

/** The names of all tables in a statement, including those it writes to and those its `with` clauses define. */
export const tablesIn = (statement: Node): ReadonlyArray<string> => {
  const names: Array<string> = []
  const visit = (tree: unknown): void => {
    if (typeof tree !== "object" || tree === null) return
    if (isTable(tree)) names.push(tree.RangeVar.relname ?? "")
    if (isWritten(tree)) names.push(tree.relation.relname ?? "")
    // A locking clause only repeats the name of a relation.
    for (const [key, part] of Object.entries(tree)) if (key !== "lockingClause") visit(part)
  }
  visit(statement)
  return names
}
