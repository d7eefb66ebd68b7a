import { join } from "node:path"
import { buildConsole } from "../../build/Console.ts"

/** Makes the console of this very source, before the run. */
export default (): Promise<unknown> => buildConsole(join(import.meta.dirname, "../../dist/console"))
