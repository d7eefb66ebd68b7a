import { BaseSequencer, type TestSpecification } from "vitest/node"
import { budgetOf } from "./Budgets.ts"

/**
 * Runs files with the largest budgets first within their project, so that no worker still runs a long file while the
 * others are idle. Without durations from an earlier run, as in `.ci/run`, vitest sorts by file size, which says
 * little.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const budget = ({ moduleId, project }: TestSpecification) =>
      budgetOf(moduleId.slice(project.config.root.length + 1))
    return (await super.sort(files)).toSorted((a, b) => order(a) - order(b) || budget(b) - budget(a))
  }
}

/** Runs the longest files first, unless the files should run in random order. */
export const sequence = process.argv.some((word) => word.startsWith("--sequence.shuffle"))
  ? {}
  : { sequencer: LongestFirst }
