import { docComment } from "./Comments.ts"
import { type Json, part, parts } from "./Document.ts"
import { camelCase, parametersName, resourceName } from "./Names.ts"
import { narrowedAnswer } from "./Narrowed.ts"
import { aboutResource, type Operation, operations } from "./Operations.ts"
import { declarationOf, type Parameters, parametersOf } from "./Parameters.ts"
import { HEADING, typeImports } from "./TypeFiles.ts"
import { Renderer } from "./Types.ts"

/** Resources outside of realms. Their calls include a realm only if the caller does. */
const acrossRealms: ReadonlySet<string> = new Set(["realms", "test"])

/** A file being generated: its declarations by name, and the types that it uses from other files. */
class Resource {
  readonly declarations = new Map<string, string>()
  readonly used = new Set<string>()
  readonly own = new Set<string>()

  /** Declares a type unless it is already declared. Returns its name. */
  declare(name: string, declared: { readonly text: string; readonly used: ReadonlySet<string> }): string {
    const known = this.declarations.get(name)
    if (known !== undefined && membersText(known) !== membersText(declared.text))
      throw new Error(`Two operations have different parameters with the name ${name}`)
    if (known === undefined) this.declarations.set(name, declared.text)
    this.own.add(name)
    this.use(declared.used)
    return name
  }

  use(names: Iterable<string>) {
    for (const name of names) this.used.add(name)
  }
}

const membersText = (declaration: string): string =>
  declaration.slice(declaration.indexOf("export ")).replaceAll(/^\s*(\/?\*).*$/gm, "")

/** The argument name for a path parameter. */
const argumentOf = (name: string): string => camelCase(name)

/** Returns the type of one response. Unnamed objects are named after the operation's parameters. */
const answerType = (resource: Resource, operation: Operation, schema: Json): string => {
  const choices = parts(schema, "anyOf")
  if (choices.length > 0) return choices.map((one) => answerType(resource, operation, one)).join(" | ")
  const renderer = new Renderer("answered")
  if (!("properties" in schema)) {
    const type = renderer.type(schema)
    resource.use(renderer.used)
    return type
  }
  const name = `${parametersName(operation)}Result`
  const members = renderer.members(schema, 2)
  const about = docComment(`The response of \`${operation.route}\`.`, 0)
  return resource.declare(name, { text: `${about}export interface ${name} {\n${members}}\n`, used: renderer.used })
}

interface Answer {
  readonly kind: "one" | "list" | "import" | "export"
  readonly type: string
}

const answerOf = (resource: Resource, operation: Operation): Answer => {
  const [schema] = operation.answers
  if (operation.isStreamed) return { kind: operation.body === undefined ? "export" : "import", type: "" }
  if (operation.isRedirect) return { kind: "one", type: "Redirect" }
  const properties = schema === undefined ? {} : part(schema, "properties")
  if ("collection" in properties) {
    const renderer = new Renderer("answered")
    const type = renderer.type(part(part(properties, "collection"), "items"))
    resource.use(renderer.used)
    return { kind: "list", type }
  }
  const types = operation.answers.map((one) => (one === undefined ? "" : answerType(resource, operation, one)))
  const said = types.filter((type) => type !== "")
  if (said.length === 0) return { kind: "one", type: "void" }
  return { kind: "one", type: [...said, ...(said.length < types.length ? ["undefined"] : [])].join(" | ") }
}

const returnTypes = (form: string, { kind, type }: Answer): string =>
  ({
    one: `Answer<${form}, ${type}>`,
    list: `Listed<${form}, ${type}>`,
    import: `Imported<${form}>`,
    export: `Exported<${form}>`
  })[kind]

/** The doc comment of an operation's function. */
const aboutOperation = ({ summary, description }: Operation): string =>
  [`${summary.replace(/\.?$/, ".")}`, description].filter((one) => one !== "").join("\n\n")

/** Describes where the operations of a resource are called, if not at the usual URL. */
const whereCalled = (members: ReadonlyArray<Operation>): string =>
  members.some(({ isOnAppHost }) => isOnAppHost)
    ? "\n\nCalled on the host of a connected app: set `url` in the options or in the client to its URL."
    : ""

/** Returns the request of an operation in the form of the table of operations. */
const requestOf = (operation: Operation, parameters: Parameters | undefined): string => {
  const { resource, name, isOpen, isRedirect, takesRealm, route } = operation
  const hasNoRealm = !takesRealm || acrossRealms.has(resource)
  const realm = parameters?.hasRealmInBody === true ? '"body"' : hasNoRealm ? '"none"' : undefined
  const members = [
    `route: ${JSON.stringify(route)}`,
    ...(parameters?.wrapper === undefined ? [] : [`wrapper: ${JSON.stringify(parameters.wrapper)}`]),
    ...(parameters === undefined || parameters.query.length === 0
      ? []
      : [`query: ${JSON.stringify(parameters.query)}`]),
    ...(realm === undefined ? [] : [`realm: ${realm}`]),
    ...(name === "create" ? ["isCreate: true"] : []),
    ...(isOpen ? ["isOpen: true"] : []),
    ...(isRedirect ? ["isRedirect: true"] : [])
  ]
  return `{ ${members.join(", ")} }`
}

/** Whether the parameters are sent in a body. Rows are a separate argument. */
const hasBody = ({ body, isStreamed }: Operation): boolean => body !== undefined && !isStreamed

interface Member {
  readonly signature: string
  readonly implementation: string
}

const memberOf = (resource: Resource, operation: Operation): Member => {
  const parameters = parametersOf(operation)
  const described = answerOf(resource, operation)
  const narrowed = narrowedAnswer(operation)
  const answer = narrowed === undefined ? described : { ...described, type: narrowed.answer(described.type) }
  const name = camelCase(operation.name)
  const paths = operation.path.map((one) => argumentOf(one.name))
  const rows = answer.kind === "import" ? ["rows"] : []
  const aboutParameters = `The parameters of \`${operation.route}\`.`
  const type =
    parameters === undefined
      ? undefined
      : resource.declare(
          parametersName(operation),
          declarationOf(parametersName(operation), parameters, aboutParameters)
        )
  const given = parameters?.wrapper === undefined ? (hasBody(operation) ? "body" : "query") : ""
  const argument = type === undefined ? undefined : given || argumentOf(parameters?.wrapper ?? "")
  const typedWith = (type: string) =>
    [
      ...paths.map((path) => `${path}: string`),
      ...rows.map((one) => `${one}: Rows<F>`),
      ...(argument === undefined ? [] : [`${argument}${parameters?.isRequired === true ? "" : "?"}: ${type}`]),
      "options?: CallOptions"
    ].join(", ")
  const typed = typedWith(type ?? "")
  const names = [...paths, ...rows, ...(argument === undefined ? [] : [argument]), "options"]
  const call = [
    requestOf(operation, parameters),
    ...(answer.kind === "import" ? rows : answer.kind === "export" ? [] : [`[${paths.join(", ")}]`]),
    argument ?? "undefined",
    "options"
  ]
  const about = docComment(aboutOperation(operation), 2)
  const signature = (typed: string, answer: Answer) => `  ${name}(${typed}): ${returnTypes("F", answer)}\n`
  if (narrowed?.parameters === undefined)
    return {
      signature: `${about}${signature(typed, answer)}`,
      implementation: `  ${name}: (${names.join(", ")}) => call.${answer.kind}(${call.join(", ")})`
    }
  const others = docComment(`${operation.summary}, of any type.`, 2)
  return {
    signature: `${about}${signature(typedWith(`${type} & ${narrowed.parameters}`), answer)}${others}${signature(typed, described)}`,
    // TypeScript doesn't infer the parameters of overloaded functions.
    implementation: `  ${name}: (${typed}) => call.${answer.kind}<${answer.type}>(${call.join(", ")})`
  }
}

/** The names that generated files import from `Form.ts`. */
const FORM = ["Answer", "Call", "CallOptions", "Exported", "Form", "Imported", "Listed", "Redirect", "Rows"]

/** The names that generated files import from `WebhookWithSecret.ts`. */
const WEBHOOK = ["WebhookType", "WebhookWithSecret"]

/** The names that a text mentions. */
const mentioned = (names: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))

/** A file of the SDK: its path and text. */
type File = readonly [string, string]

/** The maximum number of lines of a file. */
const MAX_LINES = 300

/** The maximum number of lines of a text after formatting, which may put each argument of a long line on its own line. */
const linesOf = (text: string): number => text.split("\n").reduce((sum, line) => sum + (line.length > 120 ? 6 : 1), 0)

/**
 * Returns the files of a resource. If one file would be too long, the types get their own file, and if necessary the
 * functions, too.
 */
const filesOf = (name: string, members: ReadonlyArray<Operation>): ReadonlyArray<File> => {
  const [first] = members
  if (first === undefined) return []
  const resource = new Resource()
  const made = members.map((operation) => memberOf(resource, operation))
  const types = [...resource.declarations.values()].join("\n")
  const form =
    `${docComment(`${aboutResource(first)}${whereCalled(members)}`, 0)}` +
    `export interface ${name}<F extends Form> {\n${made.map(({ signature }) => signature).join("")}}\n`
  const functions =
    `/** Creates the resource's functions from a function that calls the API. */\n` +
    `export const ${camelCase(first.resource)} = <F extends Form>(call: Call<F>): ${name}<F> => ({\n` +
    `${made.map(({ implementation }) => implementation).join(",\n")}\n})\n`
  const others = [...resource.used].filter((one) => !resource.own.has(one))
  const file = (path: string, text: string, beside = ""): File => {
    const form = mentioned(FORM, text)
    const webhook = mentioned(WEBHOOK, text)
    const imports = [
      form.length === 0 ? "" : `import type { ${form.join(", ")} } from "../../Form.ts"\n`,
      webhook.length === 0 ? "" : `import type { ${webhook.join(", ")} } from "../../WebhookWithSecret.ts"\n`,
      typeImports(mentioned(others, text), "../types"),
      beside
    ]
    return [`${first.version}/${path}.ts`, `${HEADING}${imports.join("")}\n${text}`]
  }
  const whole = file(name, `${types}\n${form}\n${functions}`)
  if (linesOf(whole[1]) <= MAX_LINES) return [whole]
  const own = `import type { ${mentioned([...resource.own], form).join(", ")} } from "./${name}Types.ts"\n`
  const typed = file(`${name}Types`, types)
  const calling = file(name, `${form}\n${functions}`, own)
  if (linesOf(calling[1]) <= MAX_LINES) return [typed, calling]
  return [
    typed,
    file(name, form, own),
    file(`${name}Functions`, functions, `import type { ${name} } from "./${name}.ts"\n`)
  ]
}

/** The resources of the API, each with its operations. */
export const resources: ReadonlyMap<string, ReadonlyArray<Operation>> = Map.groupBy(operations, resourceName)

/** The files of each resource: its parameter types, functions and requests. */
export const resourceFiles = (): ReadonlyArray<readonly [string, string]> =>
  [...resources].flatMap(([name, members]) => filesOf(name, members))

/** The parameter types that a file declares. */
export const exportedTypes = (file: string): ReadonlyArray<string> =>
  [...file.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name)
