import { credentialTypes, isSocial } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import { isObject } from "#domain/JsonObject"
import { canonical } from "#domain/Text"
import type { SourceRecord } from "./Row.ts"
import { SeenReferences } from "./SeenReferences.ts"

/** A value that must be unique, and the row's member that contains it. */
interface Claim {
  readonly field: string
  readonly value: string
}

/** A value that another row of the input already has. */
export interface TakenByLine {
  readonly field: string
  readonly line: number
}

const socialTypes: ReadonlySet<unknown> = new Set(credentialTypes.filter(isSocial))

const recordsIn = (row: SourceRecord, member: string): ReadonlyArray<SourceRecord> => {
  const value = row[member]
  return Array.isArray(value) ? value.map((one: unknown) => (isObject(one) ? one : {})) : []
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const credentialClaims = (credential: SourceRecord, index: number): ReadonlyArray<Claim> => {
  const [type, key, id] = [credential["credential_type"], credential["api_key"], credential["provider_user_id"]]
  const path = `credentials[${index}]`
  if (type === "api_key" && typeof key === "string") return [{ field: `${path}.api_key`, value: `api_key ${key}` }]
  if (typeof id !== "string" || !socialTypes.has(type)) return []
  const provider = textOf(credential["auth_provider_id"]) ?? `${type} ${textOf(credential["auth_provider_name"]) ?? ""}`
  return [{ field: `${path}.provider_user_id`, value: `profile ${provider} ${id}` }]
}

/** The unique values of a row. */
const claimsOf = (row: SourceRecord): ReadonlyArray<Claim> => [
  ...[textOf(row["id"]) ?? []].flat().map((id) => ({ field: "id", value: `id ${id}` })),
  ...["email", "username"].flatMap((field) => {
    const text = textOf(row[field])
    return text === undefined
      ? []
      : [{ field, value: `${field} ${field === "email" ? foldedEmail(canonical(text)) : canonical(text)}` }]
  }),
  ...recordsIn(row, "credentials").flatMap(credentialClaims)
]

/** The references of the orgs that a row describes. */
const orgsOf = (row: SourceRecord): ReadonlyArray<string> =>
  recordsIn(row, "memberships").flatMap(({ org }) => (isObject(org) ? (textOf(org["reference"]) ?? []) : []))

/** The data of a row that is stored until its call has a response. */
interface OpenRow {
  readonly claims: ReadonlyArray<Claim>
  readonly orgs: ReadonlyArray<string>
}

/**
 * The unique values of rows, and the orgs that rows describe, across all calls of an import (C118). For rows of
 * completed calls, it stores a 64-bit digest and a line number per value. For other rows, it stores the values
 * themselves.
 */
export class ClaimedValues {
  readonly #values = new SeenReferences()
  readonly #orgs = new SeenReferences()
  readonly #open = new Map<number, OpenRow>()
  #refused = new Map<number, OpenRow>()
  #repeatedOrgs: ReadonlyArray<string> = []
  #rules: { readonly emails: boolean } | undefined

  /**
   * From now on, checks rows against earlier calls, which a dry run requires. `emails`: whether emails must be unique
   * in the realm.
   */
  enforce(rules: { readonly emails: boolean }): void {
    this.#rules = rules
  }

  get isEnforced(): boolean {
    return this.#rules !== undefined
  }

  /** The orgs described in the last call that earlier calls also described. */
  get repeatedOrgs(): ReadonlyArray<string> {
    return this.#repeatedOrgs
  }

  /** Returns the values of a row that are already taken by rows of earlier calls. The import would reject them. */
  conflictsWithEarlierCalls(row: SourceRecord): ReadonlyArray<TakenByLine> {
    const rules = this.#rules
    if (rules === undefined) return []
    return claimsOf(row).flatMap(({ field, value }) => {
      const line = field === "email" && !rules.emails ? undefined : this.#values.lineOf(value)
      return line === undefined ? [] : [{ field, line }]
    })
  }

  /**
   * Prepares a row for a dry run. An org that an earlier row described gets a placeholder name, because the dry run has
   * not created it.
   */
  prepareForDryRun(row: SourceRecord): SourceRecord {
    if (this.#rules === undefined || !orgsOf(row).some((org) => this.#orgs.lineOf(org) !== undefined)) return row
    const memberships = recordsIn(row, "memberships").map((membership) => {
      const { org } = membership
      const reference = isObject(org) ? textOf(org["reference"]) : undefined
      const isDescribed = reference !== undefined && this.#orgs.lineOf(reference) !== undefined
      return isObject(org) && isDescribed ? { ...membership, org: { name: "Org", ...org } } : membership
    })
    return { ...row, memberships }
  }

  /** Registers a row that is about to be sent. */
  open(row: SourceRecord, line: number): void {
    const noted = { claims: claimsOf(row), orgs: orgsOf(row) }
    if (noted.claims.length + noted.orgs.length > 0) this.#open.set(line, noted)
  }

  /** Completes a call. Its rejected rows are removed, because they claim no values. */
  completeCall(refused: ReadonlySet<number>): void {
    this.#refused = new Map()
    const orgs = new Map<string, number>()
    for (const [line, row] of this.#open) {
      if (refused.has(line)) this.#refused.set(line, row)
      else {
        for (const { value } of row.claims) this.#values.add(value, line)
        for (const org of row.orgs) if (!orgs.has(org)) orgs.set(org, line)
      }
    }
    this.#open.clear()
    this.#repeatedOrgs = [...orgs].flatMap(([org, line]) => (this.#orgs.add(org, line) === undefined ? [] : [org]))
  }

  /**
   * Returns the line of the row that has the value wanted by a rejected row of the last call, or undefined if it isn't
   * in the input.
   */
  lineWithValue(line: number, field: string | null): number | undefined {
    const claim = this.#refused.get(line)?.claims.find((one) => one.field === field)
    return claim === undefined ? undefined : this.#values.lineOf(claim.value)
  }
}
