import type { AlterTableCmd, Node } from "libpg-query"
import type { Migration } from "#sql/MigrationFiles"
import { kindOf, parsed, partsIn, textsIn } from "./ParsedSql.ts"

/**
 * The first migration that must be safe while nodes of the previous release run. Earlier ones belong to the first
 * release.
 */
export const FIRST_CHECKED = 19

/** The objects created by earlier migrations, and by earlier statements of the same migration. */
interface Known {
  /** Tables created by the same migration, which no running node uses yet. */
  readonly fresh: Set<string>
  /** Validated and not yet validated checks, by table and name. `notNull` is the column that the check requires. */
  readonly checks: Map<string, { readonly notNull: string | undefined; isValid: boolean }>
}

const isCall = (part: object): part is { readonly FuncCall: object } | { readonly SQLValueFunction: object } =>
  "FuncCall" in part || "SQLValueFunction" in part

/** The column that a check requires to be not null. */
const notNullOf = (node: Node | undefined): string | undefined =>
  node !== undefined &&
  "NullTest" in node &&
  node.NullTest.nulltesttype === "IS_NOT_NULL" &&
  node.NullTest.arg !== undefined &&
  "ColumnRef" in node.NullTest.arg
    ? textsIn(node.NullTest.arg.ColumnRef.fields).at(-1)
    : undefined

const addedColumn = (def: Node | undefined): ReadonlyArray<string> => {
  if (def === undefined || !("ColumnDef" in def)) return []
  const { colname = "", constraints = [] } = def.ColumnDef
  const kinds = constraints.flatMap((each) => ("Constraint" in each ? [each.Constraint] : []))
  const byDefault = kinds.find(({ contype }) => contype === "CONSTR_DEFAULT")
  return [
    ...(byDefault !== undefined && partsIn(byDefault.raw_expr, isCall).length > 0
      ? [
          `the default of ${colname} is computed for each row, which rewrites the table: add it without a default, and fill it in batches`
        ]
      : []),
    ...(kinds.some(({ contype }) => contype === "CONSTR_NOTNULL") && byDefault === undefined
      ? [`${colname} is not null and has no default: older nodes insert rows without it`]
      : []),
    ...(kinds.some(({ contype = "" }) => !/^CONSTR_(?:DEFAULT|NOTNULL|NULL)$/.test(contype))
      ? [
          `${colname} comes with a constraint, which reads the whole table under a lock: add the constraint separately, not valid`
        ]
      : [])
  ]
}

const addedConstraint = (def: Node | undefined, table: string, known: Known): ReadonlyArray<string> => {
  if (def === undefined || !("Constraint" in def)) return []
  const { conname = "", contype = "", indexname, raw_expr: check, skip_validation: isNotValid } = def.Constraint
  if (contype === "CONSTR_CHECK" || contype === "CONSTR_FOREIGN") {
    known.checks.set(`${table}.${conname}`, { notNull: notNullOf(check), isValid: isNotValid !== true })
    return isNotValid === true
      ? []
      : [`the constraint ${conname} is validated under a lock: add it not valid, then validate it`]
  }
  return indexname === undefined
    ? [
        `the constraint ${conname} creates its index under a lock: create the index concurrently, then add it using index`
      ]
    : []
}

const isNeverNull = (known: Known, table: string, column: string): boolean =>
  [...known.checks].some(([key, { isValid, notNull }]) => key.startsWith(`${table}.`) && isValid && notNull === column)

/** The reason why a change of an existing table is unsafe. */
const altered = (cmd: AlterTableCmd, table: string, isContract: boolean, known: Known): ReadonlyArray<string> => {
  const { def, name = "", subtype = "" } = cmd
  const contract = (what: string) => (isContract ? [] : [`${what}, which older nodes still use`])
  switch (subtype) {
    case "AT_AddColumn":
      return addedColumn(def)
    case "AT_AddConstraint":
      return addedConstraint(def, table, known)
    case "AT_ValidateConstraint": {
      const check = known.checks.get(`${table}.${name}`)
      if (check !== undefined) check.isValid = true
      return []
    }
    case "AT_SetNotNull":
      return isNeverNull(known, table, name)
        ? []
        : [`${table}.${name} becomes not null without a validated check, so that the whole table is read under a lock`]
    case "AT_DropColumn":
      return contract(`${table}.${name} is dropped`)
    case "AT_DropConstraint":
      return contract(`the constraint ${name} is dropped`)
    case "AT_DropNotNull":
      return contract(`${table}.${name} may become null`)
    case "AT_ColumnDefault":
      return def === undefined ? contract(`the default of ${table}.${name} is dropped`) : []
    case "AT_AlterColumnType":
      return [`the type of ${table}.${name} changes, which rewrites the table: add a column beside it`]
    case "AT_SetStatistics":
    case "AT_SetRelOptions":
      return []
    default:
      return [`${subtype} is a change that the rules don't cover yet`]
  }
}

/** The parser's number for triggers that run after a change. */
const AFTER = 0

const judged = (statement: Node, migration: Migration, known: Known): ReadonlyArray<string> => {
  const isContract = migration.needs > 0
  const isOld = (table: string) => !known.fresh.has(table)
  if ("CreateStmt" in statement) {
    known.fresh.add(statement.CreateStmt.relation?.relname ?? "")
    return []
  }
  if ("AlterTableStmt" in statement) {
    const { cmds = [], relation } = statement.AlterTableStmt
    const table = relation?.relname ?? ""
    if (!isOld(table)) return []
    return cmds.flatMap((cmd) => ("AlterTableCmd" in cmd ? altered(cmd.AlterTableCmd, table, isContract, known) : []))
  }
  if ("IndexStmt" in statement) {
    const { concurrent, idxname = "", relation } = statement.IndexStmt
    return isOld(relation?.relname ?? "") && concurrent !== true
      ? [`the index ${idxname} is created while nobody can write: create it concurrently`]
      : []
  }
  if ("DropStmt" in statement) {
    const { concurrent, missing_ok: mayBeMissing, removeType } = statement.DropStmt
    if (removeType === "OBJECT_INDEX" && concurrent !== true)
      return ["an index is dropped under a lock: drop it concurrently"]
    // Drops the leftovers of an interrupted run before the index is created again.
    if (removeType === "OBJECT_INDEX" && mayBeMissing === true && !migration.isTransactional) return []
    return isContract ? [] : ["something is dropped that older nodes still use"]
  }
  if ("RenameStmt" in statement)
    return ["something is renamed, so older or newer nodes don't know it: add it under the new name"]
  if ("UpdateStmt" in statement || "DeleteStmt" in statement) {
    return ["rows are changed all at once, which locks them until the end: let a job do it in batches"]
  }
  if ("InsertStmt" in statement || "CommentStmt" in statement || "CreateFunctionStmt" in statement) return []
  if ("CreateTrigStmt" in statement) {
    return statement.CreateTrigStmt.timing === AFTER || statement.CreateTrigStmt.timing === undefined
      ? []
      : ["a trigger runs before a change, and so may alter what older nodes write: let it run after the change"]
  }
  if ("VariableSetStmt" in statement) return ["a setting is changed: the migrator sets the timeouts"]
  return [`${kindOf(statement)} is a statement that the rules don't cover yet`]
}

/** An interrupted run without a transaction is repeated from the start, so each statement must be repeatable. */
const repeated = (statements: ReadonlyArray<Node>): ReadonlyArray<string> =>
  statements.flatMap((statement, index) => {
    if (!("IndexStmt" in statement))
      return "DropStmt" in statement ? [] : [`${kindOf(statement)} needs no file without a transaction`]
    const before = statements[index - 1]
    const { idxname = "" } = statement.IndexStmt
    const dropped = before !== undefined && "DropStmt" in before ? JSON.stringify(before.DropStmt.objects) : ""
    return dropped.includes(`"${idxname}"`)
      ? []
      : [`the index ${idxname} may already exist and be invalid: drop it first if it exists`]
  })

/**
 * The reasons why a migration can't run while nodes of the previous release serve requests. `earlier` lists all
 * migrations before it, oldest first.
 */
export const migrationProblems = (migration: Migration, earlier: ReadonlyArray<Migration>): ReadonlyArray<string> => {
  const known: Known = { fresh: new Set(), checks: new Map() }
  for (const each of earlier) {
    for (const node of each.statements().flatMap(parsed)) {
      judged(node, each, known)
      known.fresh.clear()
    }
  }
  const statements = migration.statements().flatMap(parsed)
  const isConcurrent = statements.some(
    (node) =>
      ("IndexStmt" in node && node.IndexStmt.concurrent === true) ||
      ("DropStmt" in node && node.DropStmt.concurrent === true)
  )
  return [
    ...statements.flatMap((node) => judged(node, migration, known)),
    ...(migration.needs >= migration.version ? ["a contract must follow an earlier migration"] : []),
    ...(isConcurrent && migration.isTransactional
      ? ["concurrently needs a separate file that starts with `-- without a transaction`"]
      : []),
    ...(migration.isTransactional ? [] : repeated(statements))
  ]
}
