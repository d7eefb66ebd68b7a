import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { readMigrations } from "../src/sql/MigrationFiles.ts"
import { shipImage } from "../src/sql/PgliteImage.ts"

// Builds the image of an empty embedded database. Without it, the first start after an installation takes two more
// seconds, and so does every start of a container in test mode.
const outdir = process.argv[2] ?? join(import.meta.dirname, "../dist")

await readMigrations().pipe(
  Effect.flatMap((migrations) => shipImage(outdir, migrations)),
  Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
  Effect.runPromise
)
