/** An operation of the OpenAPI document. */
export interface DocumentedOperation {
  readonly method: string
  readonly template: string
  readonly query: ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
  readonly body: unknown
  readonly hosted: boolean
}

/** Returns a nested value by its path. */
export const at = (value: unknown, ...way: ReadonlyArray<string>): unknown =>
  way.reduce<unknown>(
    (now, step) => (typeof now === "object" && now !== null ? Reflect.get(now, step) : undefined),
    value
  )

/** Returns the value if it is a list, and an empty list otherwise. */
export const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The operations of an OpenAPI document. */
export const operationsOf = (document: unknown): ReadonlyArray<DocumentedOperation> =>
  Object.entries(Object(at(document, "paths"))).flatMap(([template, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      query: listIn(at(operation, "parameters"))
        .filter((one) => at(one, "in") === "query")
        .map((one) => ({ name: String(at(one, "name")), schema: at(one, "schema") })),
      body: at(operation, "requestBody", "content", "application/json", "schema"),
      hosted: listIn(at(operation, "tags")).includes("hosted login")
    }))
  )
