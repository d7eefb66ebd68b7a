import { createHash } from "node:crypto"
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { gunzip, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import { findUpwards, type Migration } from "./MigrationFiles.ts"
import { migrate } from "./Migrations.ts"
import type { PgliteArchive } from "./PgliteArchive.ts"
import { pgliteClient, startPglite } from "./PgliteClient.ts"

/** Increase this when the way of building images changes. */
const IMAGE_VERSION = 3
const initDbStartParams = ["--wal-segsize=1", "--no-sync"]

/** The settings while an image is built. By default, the image would contain five empty log files of 1 MB. */
const BUILDING = { min_wal_size: "2MB", max_wal_size: "2MB" }
const UNUSED_MILLIS = 7 * 24 * 3_600_000

/**
 * Returns a tar archive of an initialized and migrated embedded database. Callers must not modify it. Releases include one.
 * Otherwise it is cached next to the installed packages, so that it is built only at the first start after an installation
 * or a new migration. If it can't be cached, each new database builds it.
 */
export const imageOf = Effect.fn("PgliteImage.imageOf")(function* (migrations: ReadonlyArray<Migration>) {
  const path = pathOf(migrations)
  const cached = path === undefined ? undefined : yield* Effect.promise(() => read(path))
  if (cached !== undefined) return cached
  const built = yield* build(migrations)
  if (path !== undefined) store(path, built)
  return built
})

/** Writes an image into a release's folder. */
export const shipImage = Effect.fn("PgliteImage.shipImage")(function* (
  folder: string,
  migrations: ReadonlyArray<Migration>
) {
  yield* imageOf(migrations)
  const path = pathOf(migrations)
  if (path !== undefined) copyFileSync(path, join(folder, basename(path)))
})

/** Builds an image. The database is shut down before archiving. Otherwise each start would have to recover it from its log. */
const build = Effect.fn("PgliteImage.build")(function* (migrations: ReadonlyArray<Migration>) {
  const { PgliteArchive } = yield* Effect.promise(() => import("./PgliteArchive.ts"))
  const fs = new PgliteArchive()
  yield* Effect.scoped(fill(fs, migrations))
  return fs.archive
})

const fill = Effect.fn("PgliteImage.fill")(
  function* (fs: PgliteArchive, migrations: ReadonlyArray<Migration>) {
    const sql = yield* pgliteClient(yield* startPglite({ fs, initDbStartParams }, "in memory", BUILDING))
    yield* migrate({ reader: sql, writer: sql })(migrations)
    // No other database is ever created in this one. Without the two templates, the image is half the size.
    yield* sql`update pg_database set datistemplate = false`
    yield* sql`drop database template0`
    yield* sql`drop database template1`
  },
  (effect) =>
    Effect.catchTag(effect, "SqlError", (error) => {
      const message = `The embedded database can't be initialized: ${detailOf(error)}.`
      return Effect.fail(new DatabaseRefused({ reason: "Broken", message }))
    })
)

/** The path of an image with these migrations, in the release or else in the cache. Undefined if neither folder exists. */
const pathOf = (migrations: ReadonlyArray<Migration>): string | undefined => {
  const packageFile = findUpwards("node_modules/@electric-sql/pglite/package.json")
  if (packageFile === undefined) return undefined
  const { version } = JSON.parse(readFileSync(packageFile, "utf8"))
  const hash = createHash("sha256")
    .update(JSON.stringify([IMAGE_VERSION, migrations]))
    .digest("hex")
    .slice(0, 16)
  const name = `pglite-${version}-${hash}.tar.gz`
  return findUpwards(join("dist", name)) ?? join(dirname(packageFile), "../../.cache/sallyport", name)
}

/** The last image that was read, kept for the next database as long as its memory is not reclaimed. */
let latest: { readonly path: string; readonly image: WeakRef<Buffer> } | undefined

/** Unpacks on another thread. One chunk is enough, because a gzip file ends with the length of its content. */
const unpack = (packed: Buffer): Promise<Buffer> =>
  promisify(gunzip)(packed, { chunkSize: packed.readUInt32LE(packed.length - 4) })

const read = async (path: string): Promise<Buffer | undefined> => {
  const cached = latest?.path === path ? latest.image.deref() : undefined
  if (cached !== undefined) return cached
  try {
    const image = await unpack(readFileSync(path))
    latest = { path, image: new WeakRef(image) }
    return image
  } catch {
    return undefined
  }
}

const store = (path: string, image: Buffer): void => {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true })
    const unfinished = `${path}.${process.pid}`
    writeFileSync(unfinished, gzipSync(image))
    renameSync(unfinished, path)
    for (const name of readdirSync(folder)) {
      const age = statSync(path).mtimeMs - statSync(join(folder, name)).mtimeMs
      if (name.startsWith("pglite-") && age > UNUSED_MILLIS) rmSync(join(folder, name), { force: true })
    }
  } catch {
    // If the installation is read-only, each new database builds the image.
  }
}
