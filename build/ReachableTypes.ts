/** The import of a name: the specifier as written, the name in the other module, or `*` for the whole module. */
interface Imported {
  readonly from: string
  readonly name: string
}

interface Statement {
  readonly text: string
  readonly name: string
}

/** A declaration file as TypeScript writes it: each statement starts a line, and the lines after its first are indented. */
class Declarations {
  readonly statements: Array<Statement> = []
  readonly imports = new Map<string, Imported>()
  readonly reexports = new Map<string, Imported>()

  constructor(text: string) {
    for (const chunk of text.split(/^(?=\/\*\*|(?<!\*\/\n)(?:import|export|declare|type|interface)\b)/m))
      this.#add(chunk)
  }

  #add(chunk: string): void {
    const list = /^(import|export) (?:type )?\{([^}]*)\} from "([^"]+)";/.exec(chunk)
    const whole = /^import (?:type )?\* as (\w+) from "([^"]+)";/.exec(chunk)
    const declared = /^(?:export )?(?:declare )?(?:abstract )?(?:const|class|interface|type|function) (\w+)/m.exec(
      chunk
    )
    if (list !== null) {
      const [, kind, names = "", from = ""] = list
      for (const one of names.split(",").map((text) => text.trim().replace(/^type /, ""))) {
        const [name = "", as = name] = one.split(" as ")
        if (name !== "") (kind === "import" ? this.imports : this.reexports).set(as, { from, name })
      }
    } else if (whole !== null) this.imports.set(whole[1] ?? "", { from: whole[2] ?? "", name: "*" })
    else if (declared !== null) this.statements.push({ text: chunk, name: declared[1] ?? "" })
    else if (!/^(?:export \{\};|import "[^"]+";)?\s*$/.test(chunk)) throw new Error(`Not a declaration: ${chunk}`)
  }

  /** The names that other modules can import. */
  get exported(): ReadonlyArray<string> {
    const own = this.statements.filter(({ text }) => /^export /m.test(text)).map(({ name }) => name)
    return [...own, ...this.reexports.keys()]
  }
}

interface Modules {
  readonly read: (module: string) => string
  /** Returns the module that a specifier names, or undefined if it names another package. */
  readonly resolve: (module: string, specifier: string) => string | undefined
  /** Returns the specifier to write. */
  readonly specifier: (module: string, specifier: string) => string
}

const identifiersIn = (text: string): ReadonlyArray<string> =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, "").match(/[A-Za-z_]\w*/g) ?? []

/**
 * Returns the declarations that an entry's exports need, by module, without the others of their modules. They need only
 * the packages that these types refer to.
 */
export const reachableTypes = (entry: string, { read, resolve, specifier }: Modules): ReadonlyMap<string, string> => {
  const modules = new Map<string, { readonly file: Declarations; readonly needed: Set<string> }>()
  const moduleOf = (module: string) => {
    const known = modules.get(module) ?? { file: new Declarations(read(module)), needed: new Set() }
    modules.set(module, known)
    return known
  }

  const need = (module: string, name: string): void => {
    const { file, needed } = moduleOf(module)
    if (needed.has(name)) return
    needed.add(name)
    const other = file.imports.get(name) ?? file.reexports.get(name)
    const from = other === undefined ? undefined : resolve(module, other.from)
    if (other !== undefined && from !== undefined) {
      if (other.name === "*") for (const one of moduleOf(from).file.exported) need(from, one)
      else need(from, other.name)
    }
    for (const { text } of file.statements.filter((statement) => statement.name === name)) {
      if (text.includes('import("')) throw new Error(`An import within a type: ${text}`)
      for (const mentioned of identifiersIn(text))
        if (file.imports.has(mentioned) || file.statements.some((one) => one.name === mentioned))
          need(module, mentioned)
    }
  }
  for (const name of moduleOf(entry).file.exported) need(entry, name)

  const textOf = (module: string, file: Declarations, needed: ReadonlySet<string>): string => {
    const lines = (kind: "import" | "export", names: ReadonlyMap<string, Imported>) =>
      [...names].flatMap(([as, { from, name }]) => {
        if (!needed.has(as)) return []
        const named = name === "*" ? `* as ${as}` : `{ ${name === as ? name : `${name} as ${as}`} }`
        return [`${kind} ${named} from "${specifier(module, from)}";\n`]
      })
    const statements = file.statements.filter(({ name }) => needed.has(name)).map(({ text }) => text)
    return [...lines("import", file.imports), ...lines("export", file.reexports), ...statements, "export {};\n"].join(
      ""
    )
  }
  return new Map([...modules].map(([module, { file, needed }]) => [module, textOf(module, file, needed)]))
}
