import { expect, test } from "vitest"
import { node, oldNode, project, run } from "./Consumer.ts"

const folder = project("programs")

test("npx sallyport --version prints the release", async () => {
  const ended = await run(folder, "npx", "--no-install", "sallyport", "--version")
  expect(ended).toMatchObject({ code: 0, out: "Sallyport 0.1.0\n" })
})

test("the client runs in plain JavaScript, including on Node 20", async () => {
  const [own, old] = await Promise.all([node(folder, "client.js"), run(folder, oldNode, "client.js")])
  expect(own).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^true GET \/v2\/users\/\{user_id\}: .+ null 503\n$/),
    err: ""
  })
  expect(old).toEqual(own)
})

test("several entries export identical objects", async () => {
  const script = `
    import { NotFound } from "sallyport/client"
    import { NotFound as InEffect } from "sallyport/client/effect"
    import { NotFound as InPackage } from "sallyport"
    import { STARTS_AT } from "sallyport/testing"
    import { start } from "sallyport/testing/promise"
    await using service = await start({ startsAt: STARTS_AT })
    const refused = await service.sallyport.users.get("usr_1", { realm_id: "rl_1" }).catch((error) => error)
    console.log(NotFound === InEffect && NotFound === InPackage, service.now() === STARTS_AT, refused instanceof NotFound)`
  const ended = await node(folder, "--input-type=module", "--eval", script)
  expect(ended).toEqual({ code: 0, out: "true true true\n", err: "" })
})

test("a Next.js route handler gets the visitor and their permissions", async () => {
  const ended = await node(project("next"), "visit.js")
  expect(ended.err).toBe("")
  expect(JSON.parse(ended.out)).toEqual([
    [200, "ada@example.com"],
    [403, "org_refused"],
    [401, "session_missing"]
  ])
})

test("CommonJS on Node 20 can require the client", async () => {
  const script = 'typeof require("sallyport/client").Sallyport'
  const ended = await run(folder, oldNode, "--input-type=commonjs", "--print", script)
  expect(ended).toMatchObject({ code: 0, out: "function\n" })
})

test.each([
  "sallyport/testing/promise",
  "sallyport/testing",
  "sallyport/server"
])("importing %s on Node 20 fails and lists the entries that work there", async (entry) => {
  const ended = await run(folder, oldNode, "--input-type=module", "--eval", `import "${entry}"`)
  expect(ended.err).toMatch(
    /^Error: Sallyport needs Node 22\.19 or later; this is 20\.\d+\.\d+\. Install a later one, or let npx download one: npx -p node@24 sallyport\. Its client, sallyport\/client, runs on Node 20\.16 or later\.$/m
  )
  expect(ended.code).toBe(1)
})

test("the CLI on Node 20 prints only its version and help, and explains why other commands don't run", async () => {
  const program = "../node_modules/sallyport/dist/sallyport.js"
  const version = await run(folder, oldNode, program, "--version")
  expect(version).toEqual({ code: 0, out: "Sallyport 0.1.0\n", err: "" })
  const help = await run(folder, oldNode, program, "dev", "--help")
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining("sallyport dev [options]"), err: "" })
  const ended = await run(folder, oldNode, program, "keys", "list")
  expect(ended.err).toMatch(
    /^Sallyport needs Node 22\.19 or later; this is 20\.\d+\.\d+\. Install a later one, or let npx download one: npx -p node@24 sallyport\. Its client, sallyport\/client, runs /
  )
  expect(ended.code).toBe(1)
})

interface Taken {
  readonly time: number
  readonly cpu: number
}

// The limits for a quiet machine are in docs/performance.md. A busy machine stretches even CPU times, so the test only compares
// the two: a later start reuses the code and the database image that the first start has loaded.
test("the test kit's second start in a process takes less than half the CPU time of the first", async () => {
  const runs: Array<{ readonly first: Taken; readonly further: ReadonlyArray<Taken> }> = []
  for (let count = 0; count < 2; count++) runs.push(JSON.parse((await node(folder, "starts.js")).out))
  const least = (what: keyof Taken, of: ReadonlyArray<Taken>) => Math.round(Math.min(...of.map((taken) => taken[what])))
  const firsts = runs.map(({ first }) => first)
  const further = runs.flatMap((run) => run.further)
  console.log(`First start: ${least("time", firsts)} ms with loading; later starts: ${least("time", further)} ms`)
  expect(least("cpu", further)).toBeLessThan(least("cpu", firsts) / 2)
})
