import { rmSync } from "node:fs"
import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from "vitest/node"
import { budgetOf } from "./Budgets.ts"
import {
  missingStatements,
  type Statements,
  statementsFolder,
  statementsOf,
  textsOf,
  writtenStatements
} from "./Statements.ts"
import { checkStatements, readSchema } from "./TenantStatements.ts"
import { unusedIndexes } from "./UnusedIndexes.ts"

const SLOWEST = 10

/** The prefix of lines that report failures other than tests. `.ci/run` repeats these lines at its end. */
const GATE = "Gate failed: "

const seconds = (millis: number) => `${(millis / 1_000).toFixed(1)} s`

/** Reports at the end of a run: the slowest tests, files over their budget, and the gates on statements. */
export default class Report implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    _errors: ReadonlyArray<SerializedError>,
    _reason: TestRunEndReason
  ): Promise<void> {
    this.#slowest(modules)
    this.#overBudget(modules)
    if (await this.#isWhole(modules)) {
      this.#compareStatements()
      const template = this.#template()
      if (template !== undefined) {
        await this.#findUnusedIndexes(template)
        await this.#checkTenants(template)
      }
    }
    rmSync(statementsFolder(), { recursive: true, force: true })
  }

  #print(lines: ReadonlyArray<string>): void {
    for (const line of lines) this.#vitest?.logger.log(line)
  }

  #slowest(modules: ReadonlyArray<TestModule>): void {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({ module, test, took: test.diagnostic()?.duration ?? 0 }))
    )
    const slowest = tests.toSorted((a, b) => b.took - a.took).slice(0, SLOWEST)
    this.#print([
      "",
      "Slowest tests:",
      ...slowest.map(
        ({ module, test, took }) =>
          `  ${seconds(took).padStart(7)}  ${module.project.name} ${module.relativeModuleId} > ${test.name}`
      )
    ])
  }

  #overBudget(modules: ReadonlyArray<TestModule>): void {
    const over = modules.flatMap((module) => {
      const [took, budget] = [module.diagnostic().duration, budgetOf(module.relativeModuleId)]
      return took > budget ? [`  ${seconds(took).padStart(7)} of ${seconds(budget)}  ${module.relativeModuleId}`] : []
    })
    if (over.length > 0) this.#print(["", "Files over their time budget (test/suite/Budgets.ts):", ...over])
  }

  /**
   * Returns whether this run included every file for both databases and all tests passed. Only such a run can show
   * which statements one database lacks.
   */
  async #isWhole(modules: ReadonlyArray<TestModule>): Promise<boolean> {
    const projects = new Set(modules.map(({ project }) => project.name))
    if (!projects.has("postgres") || !projects.has("embedded")) return false
    const all = (await this.#vitest?.globTestSpecifications()) ?? []
    const filtered = this.#vitest?.config.testNamePattern !== undefined
    return !filtered && all.length === modules.length && modules.every((module) => module.ok())
  }

  #compareStatements(): void {
    const [postgres, embedded] = [statementsOf("postgres"), statementsOf("embedded")]
    const gaps = [...this.#gap("embedded database", postgres, embedded), ...this.#gap("PostgreSQL", embedded, postgres)]
    if (gaps.length === 0) {
      this.#print(["", `All ${postgres.size} distinct statements ran on both databases.`])
      return
    }
    this.#print(["", "Statements that ran on only one database (see docs/testing.md):", ...gaps])
    process.exitCode = 1
  }

  /** The URL of a migrated database without rows. */
  #template(): string | undefined {
    const project = this.#vitest?.projects.find(({ name }) => name === "postgres")
    const database = project?.getProvidedContext().database
    if (database?.kind !== "postgres") return undefined
    const template = new URL(database.url)
    template.pathname = `/${database.template}`
    return template.href
  }

  async #checkTenants(template: string): Promise<void> {
    const ran = [...writtenStatements("postgres"), ...writtenStatements("embedded")]
    const { bound, problems, statements } = checkStatements(await readSchema(template), ran)
    if (problems.length === 0) {
      this.#print([
        `All ${statements} statements on tenant tables are bound: ${bound} by a realm, the others by the list.`
      ])
      return
    }
    this.#print(["", "Statements that find tenant rows without their realm (see docs/testing.md):"])
    this.#print(problems.map((problem) => `${GATE}${problem}`))
    process.exitCode = 1
  }

  async #findUnusedIndexes(template: string): Promise<void> {
    const unused = await unusedIndexes(template, textsOf("postgres"))
    if (unused.length === 0) {
      this.#print(["Every non-unique index is used by a statement."])
      return
    }
    this.#print(["", "Indexes that no statement of the suite can use (see docs/testing.md):"])
    this.#print(unused.map((name) => `${GATE}no statement can use the index ${name}`))
    process.exitCode = 1
  }

  #gap(without: string, ran: Statements, other: Statements): ReadonlyArray<string> {
    return missingStatements(ran, other).map(
      ([shape, test]) => `${GATE}never on the ${without}, first in ${test}: ${shape}`
    )
  }
}
