import { Clock, Effect, Redacted } from "effect"
import type { Fetch } from "#client/Fetch"
import { readSettings } from "#server/Config"
import type { Environment } from "#server/EnvironmentReader"
import { requireDatabase } from "#server/inspection/DatabaseInspection"
import { encryptionKeys } from "#server/SecretFile"
import {
  type EncryptionKey,
  type KeyPlace,
  keyOf,
  keyPlaceOf,
  newKey,
  saveOldKeys,
  writeKeys
} from "#server/SecretKeys"
import { type SecretStore, type Survey, withSecretStore } from "#server/SecretsRotation"
import { CommandFailed } from "../CommandFailed.ts"
import { counted } from "../doctor/Finding.ts"
import { print, showProgress } from "../Output.ts"
import { WorkDone } from "../WorkDone.ts"
import { fetchNodeKeys } from "./Nodes.ts"
import { nextStep, type Step } from "./Plan.ts"
import { type Change, describeStep } from "./StepTexts.ts"

/** The options of a rotation. */
export interface RotationOptions {
  readonly environment: Environment
  readonly key: string | undefined
  readonly fetch: Fetch
  readonly nodes: ReadonlyArray<string>
  readonly newest: string | undefined
  readonly isSure: boolean
  readonly again: boolean
  readonly dryRun: boolean
}

/** Returns the list of keys after a step, and the key that the step creates. */
const changeOf = Effect.fnUntraced(function* (
  step: Exclude<Step, { readonly _tag: "Refuse" | "Reencrypt" | "Done" }>,
  keys: ReadonlyArray<EncryptionKey>,
  place: KeyPlace,
  dryRun: boolean
) {
  const byId = (ids: ReadonlyArray<string>) => ids.flatMap((id) => keys.find((key) => key.id === id) ?? [])
  const step_ = step._tag
  if (step_ === "Promote") return { step: step_, place, keys: byId(step.order), createdKey: undefined } satisfies Change
  if (step_ === "Remove")
    return { step: step_, place, keys: byId([step.newest]), createdKey: undefined } satisfies Change
  // A dry run creates no key, so that nobody mistakes a printed key for the one in use.
  const made = dryRun ? undefined : yield* newKey
  return { step: step_, place, keys: made === undefined ? keys : [...keys, made], createdKey: made } satisfies Change
})

/** The result of writing the key file. `old`: the file where the removed keys were saved. */
interface Written {
  readonly isWritten: boolean
  readonly old?: string
  /** The reason why the file can't be replaced. */
  readonly fixed?: string
}

/** Writes the list of keys to its file, if any. Removed keys are first saved next to it, because old backups need them. */
const store = Effect.fnUntraced(
  function* ({ step, place, keys }: Change, before: ReadonlyArray<EncryptionKey>) {
    if (place._tag === "Environment") return { isWritten: false } satisfies Written
    const removedKeys = before.filter(({ id }) => keys.every((key) => key.id !== id))
    const old = step === "Remove" ? { old: yield* saveOldKeys(place.path, removedKeys) } : {}
    yield* writeKeys(place.path, keys)
    return { isWritten: true, ...old } satisfies Written
  },
  Effect.catch(({ message }) => Effect.succeed<Written>({ isWritten: false, fixed: message }))
)

const inJson = (change: Change, { isWritten, old }: Written, dryRun: boolean, reencrypted: number) => ({
  step: change.step.toLowerCase(),
  dry_run: dryRun,
  keys: change.keys.map(({ id, createdAt }) => ({ id, made_at: createdAt === undefined ? null : createdAt / 1_000 })),
  new_key: change.createdKey === undefined ? null : Redacted.value(change.createdKey.text),
  file: isWritten && change.place._tag === "File" ? change.place.path : null,
  old_file: old ?? null,
  reencrypted
})

/** Re-encrypts everything with the first key, showing progress. */
const reencryptAll = Effect.fnUntraced(function* (
  { reencrypt }: SecretStore,
  keys: ReadonlyArray<EncryptionKey>,
  count: number
) {
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof showProgress>>>()
  const { note } = yield* WorkDone
  const show = (done: number) => {
    const said = showProgress(`${done} of ${count} secrets`).pipe(Effect.provideContext(context))
    return Effect.andThen(
      note(
        () =>
          `${done} of ${count} secrets were encrypted with the new key; the others still use the old key. Both keys keep working.`
      ),
      said
    )
  }
  yield* show(0)
  const after = yield* reencrypt(
    keys.map(({ text }) => text),
    show
  )
  yield* showProgress("")
  if (after.older === 0) return after
  return yield* new CommandFailed({
    happened: `${after.older} secrets are still encrypted with an older key: other transactions lock them, or a node still encrypts with it.`,
    done: `Re-encrypted ${counted(Math.max(0, count - after.older), "secret")} with the new key.`,
    todo: "Run sallyport secrets rotate again, and give every node with --node."
  })
})

/** Performs the next step of a rotation, and explains what to do afterwards. */
export const rotateSecrets = Effect.fnUntraced(function* (options: RotationOptions) {
  const { environment, dryRun } = options
  const settings = yield* readSettings(environment)
  if (settings.database._tag === "Memory") {
    return yield* new CommandFailed({
      happened: "The database is in memory, so its key is lost when the service stops."
    })
  }
  yield* requireDatabase(settings)
  const configured = (yield* encryptionKeys(settings)).map(keyOf)
  const place = keyPlaceOf(environment, settings)
  const isEmbedded = settings.database._tag === "Embedded"
  const { note } = yield* WorkDone

  const stepFor = Effect.fnUntraced(function* (keys: ReadonlyArray<EncryptionKey>, survey: Survey, again: boolean) {
    const nodes = isEmbedded ? [] : yield* fetchNodeKeys(options.fetch, options.nodes, options.key)
    return nextStep({
      ...survey,
      keys,
      nodes,
      // Only one process can open the embedded database.
      isSure: options.isSure || isEmbedded,
      newest: options.newest,
      again,
      now: yield* Clock.currentTimeMillis
    })
  })

  return yield* withSecretStore(settings, (secretStore) =>
    Effect.gen(function* () {
      let keys: ReadonlyArray<EncryptionKey> = configured
      let reencrypted = 0
      let hasBegun = false
      for (;;) {
        const survey = yield* secretStore.survey(keys.map(({ text }) => text))
        const step = yield* stepFor(keys, survey, options.again)
        if (step._tag === "Refuse") return yield* new CommandFailed({ happened: step.happened, todo: step.todo })
        if (step._tag === "Done") {
          const says =
            "Nothing to do: the only key was created less than a day ago. Use --again to start another rotation."
          return yield* print({ step: "done", dry_run: dryRun, says }, says)
        }
        if (step._tag === "Reencrypt") {
          if (dryRun) {
            const says = `Next step: re-encrypt ${counted(step.count, "secret")} with the new key, ${keys[0]?.id}.`
            return yield* print({ step: "reencrypt", dry_run: true, says }, says)
          }
          yield* reencryptAll(secretStore, keys, step.count)
          reencrypted += step.count
          yield* note(() => `Re-encrypted ${counted(reencrypted, "secret")} with the new key.`)
          continue
        }
        const change = yield* changeOf(step, keys, place, dryRun)
        const written: Written = dryRun ? { isWritten: false } : yield* store(change, keys)
        // With the embedded database, only the file changes, and there are no other nodes.
        if (written.isWritten && place._tag === "File" && place.ownDatabase && change.step !== "Remove") {
          keys = change.keys
          hasBegun = true
          yield* note(
            () =>
              "The rotation is not finished, but the file has all the keys that are needed. Run the command again to finish."
          )
          continue
        }
        const finished = hasBegun || (place._tag === "File" && place.ownDatabase)
        const says = describeStep({ change, before: keys, ...written, dryRun, reencrypted, finished })
        return yield* print({ ...inJson(change, written, dryRun, reencrypted), says }, says)
      }
    })
  )
})
