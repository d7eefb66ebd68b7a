import { join } from "node:path"
import { buildConsole } from "../../build/Console.ts"

/** Makes the console of this very source, before the run. */
export default async (): Promise<void> => {
  await buildConsole(join(import.meta.dirname, "../../dist/console"))
}
