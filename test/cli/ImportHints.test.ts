import * as fc from "fast-check"
import { expect, test } from "vitest"
import { WrongUsage } from "#cli/CommandFailed"
import { type Mapped, mappedOf, readingsOf } from "#cli/users/Mapping"

/** Parses the `--map` options in a text as a shell would. */
const optionsIn = (text: string): ReadonlyArray<Mapped> =>
  [...text.matchAll(/--map ('(?:[^']|'\\'')*')/g)].map(([, word = ""]) =>
    mappedOf(word.slice(1, -1).replaceAll("'\\''", "'"))
  )

const failureOf = (columns: ReadonlyArray<string>, maps: ReadonlyArray<Mapped>): WrongUsage | undefined => {
  try {
    readingsOf(columns, maps)
    return undefined
  } catch (error) {
    if (error instanceof WrongUsage) return error
    throw error
  }
}

/** Follows the command's suggested options until it accepts the columns. */
const followed = (columns: ReadonlyArray<string>, given: ReadonlyArray<Mapped>): number => {
  let maps = given
  for (let run = 1; run <= columns.length + 2; run += 1) {
    const failure = failureOf(columns, maps)
    if (failure === undefined || failure.happened.startsWith("No column is the reference")) return run
    if (failure.happened.startsWith("Two columns")) return run
    const [example = ""] = failure.todo?.split("\ncustom.<key> imports") ?? []
    const asked = optionsIn(example)
    expect(asked.length, `${failure.happened} ${failure.todo}`).toBeGreaterThan(0)
    // Drops the first of two options that exclude each other.
    if (failure.todo?.startsWith("Remove one of these options")) {
      const [first] = asked
      maps = maps.filter(({ column, member }) => column !== first?.column || member !== first.member)
      if (maps.every(({ column }) => column !== first?.column))
        maps = [...maps, { column: first?.column ?? "", member: "" }]
    } else {
      const columnsAsked = new Set(asked.map(({ column }) => column))
      maps = [...maps.filter(({ column }) => !columnsAsked.has(column)), ...asked]
    }
  }
  throw new Error(`The hints never end for ${columns.join(", ")} with ${JSON.stringify(given)}.`)
}

const name = fc.constantFrom(
  "id",
  "uid",
  "reference",
  "mail",
  "mails",
  "email",
  "e-mail",
  "Email address",
  "emial",
  "plan",
  "pl an",
  "pl-an",
  "pl_an",
  "password",
  "pass word",
  "custom.pl_an",
  "given name",
  "first_name",
  "name's",
  "role",
  "permissions"
)

test("suggests --map options with which the import accepts any columns", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 9 }),
      fc.array(fc.constantFrom("email", "reference", "custom.pl_an", ""), { maxLength: 3 }),
      (columns, members) => {
        const maps = members.flatMap((member, n) => {
          const column = columns[n]
          return column === undefined ? [] : [{ column, member }]
        })
        followed(columns, maps)
      }
    ),
    { numRuns: 500 }
  )
})

test("names the unmapped column when two columns map to the same member", () => {
  const failure = failureOf(["x", "id", "email"], [{ column: "x", member: "reference" }])
  expect(failure).toMatchObject({
    happened: "The columns x and id are both reference.",
    todo: "Skip one of them: --map 'id='."
  })
  expect(failureOf(["id", "x", "email"], [{ column: "x", member: "reference" }])).toMatchObject({
    todo: "Skip the other one: --map 'id='."
  })
})

test("never suggests a member that another column already maps to", () => {
  const failure = failureOf(["id", "email", "emial", "pl an", "pl-an"], [])
  expect(failure?.happened).toContain("Unknown column: emial.\n")
  expect(failure?.todo).toContain("--map 'emial=custom.emial' --map 'pl an=custom.pl_an' --map 'pl-an=custom.pl_an_2'")
})
