import { BaseSequencer, type TestSpecification } from "vitest/node"
import { budgetOf } from "./Budgets.ts"

/**
 * Files with the largest budgets come first within their project, so that no worker is left with a long one while the other has
 * nothing to do. Without durations of an earlier run, as in `.ci/run`, vitest goes by the size of files, which says little.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const budget = ({ moduleId, project }: TestSpecification) =>
      budgetOf(moduleId.slice(project.config.root.length + 1))
    return (await super.sort(files)).toSorted((a, b) => order(a) - order(b) || budget(b) - budget(a))
  }
}

/** Unless the files are to run in random order. */
export const sequence = process.argv.some((word) => word.startsWith("--sequence.shuffle"))
  ? {}
  : { sequencer: LongestFirst }
