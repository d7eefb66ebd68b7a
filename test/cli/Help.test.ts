import { Completions } from "effect/cli"
import { expect, test } from "vitest"
import { root } from "#cli/Root"
import { cli } from "./Cli.ts"

/** The path of every command, the program itself first. */
const pathsIn = (
  { subcommands }: Completions.CommandDescriptor,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...subcommands.flatMap((command) => pathsIn(command, [...path, command.name]))
]

const paths = pathsIn(Completions.fromCommand(root))

// The help texts are snapshot files. `vitest run -u` updates them.
test.each(
  paths.map((path) => [["sallyport", ...path].join(" "), path] as const)
)("the help text of %s is as expected", async (_, path) => {
  const { code, out, err } = await cli([...path, "--help"])
  expect({ code, err }).toEqual({ code: 0, err: "" })
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110)
  await expect(out).toMatchFileSnapshot(`help/${["sallyport", ...path].join("-")}.txt`)
})

test("a command group without a subcommand shows its help, as does -h", async () => {
  const { out } = await cli(["keys", "--help"])
  expect(await cli(["keys"])).toEqual({ code: 0, out, err: "" })
  expect(await cli(["keys", "-h"])).toEqual({ code: 0, out, err: "" })
})

test("the help is colored only on a terminal without NO_COLOR", async () => {
  const coloured = await cli(["keys", "--help"], { answers: [] })
  expect(coloured.out).toContain("\u001b[1mUsage:\u001b[22m")
  const plain = await cli(["keys", "--help"], { answers: [], environment: { NO_COLOR: "1" } })
  expect(plain.out).toBe((await cli(["keys", "--help"])).out)
})

test("--version prints the release", async () => {
  expect(await cli(["--version"])).toMatchObject({ code: 0, out: expect.stringMatching(/^Sallyport \d+\.\d+\.\d+\n$/) })
})
