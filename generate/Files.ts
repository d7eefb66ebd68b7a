import { docComment } from "./Comments.ts"
import { camelCase } from "./Names.ts"
import { aboutResource } from "./Operations.ts"
import { exportedTypes, resourceFiles, resources } from "./ResourceFiles.ts"
import { HEADING, typeFiles } from "./TypeFiles.ts"

const versionFile = (version: "v1" | "v2", about: string): readonly [string, string] => {
  const own = [...resources].flatMap(([name, [first]]) => (first?.version === version ? [{ name, first }] : []))
  const type = version.toUpperCase()
  const files = new Set(resourceFiles().map(([path]) => path))
  const imports = own.map(({ name, first }) => {
    const functions = camelCase(first.resource)
    return files.has(`${version}/${name}Functions.ts`)
      ? `import type { ${name} } from "./${name}.ts"\nimport { ${functions} } from "./${name}Functions.ts"\n`
      : `import { type ${name}, ${functions} } from "./${name}.ts"\n`
  })
  const members = own.map(
    ({ name, first }) => `${docComment(aboutResource(first), 2)}  readonly ${camelCase(first.resource)}: ${name}<F>\n`
  )
  const assigned = own.map(({ first }) => {
    const member = camelCase(first.resource)
    return `    this.${member} = ${member}(call)\n`
  })
  return [
    `${version}/${type}.ts`,
    `${HEADING}import type { Call, Form } from "../../Form.ts"\n${imports.toSorted().join("")}\n/** ${about} */\n` +
      `export class ${type}<F extends Form> {\n${members.join("")}\n  constructor(call: Call<F>) {\n${assigned.join("")}  }\n}\n`
  ]
}

/** Generates a file with the names of all types. The package exports the types from it. */
const typesFile = (files: ReadonlyArray<readonly [string, string]>): readonly [string, string] => {
  const lines = files.map(([path, text]) => {
    const resource = /\/(\w+)\.ts$/.exec(path)?.[1]
    const names = exportedTypes(text).filter((name) => path.startsWith("types/") || name !== resource)
    return names.length === 0 ? "" : `export type { ${names.join(", ")} } from "./${path}"\n`
  })
  return ["Types.ts", HEADING + lines.toSorted().join("")]
}

/** Generates all files of the SDK, by path. They are not formatted yet. */
export const generatedFiles = (): ReadonlyMap<string, string> => {
  const files = [...typeFiles(), ...resourceFiles()]
  return new Map([
    ...files,
    typesFile(files),
    versionFile("v2", "The current version of the API, by its resources."),
    versionFile("v1", "Version 1 of the API, by its resources.")
  ])
}
