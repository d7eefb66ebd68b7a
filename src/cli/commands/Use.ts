import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { allOf } from "../All.ts"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import { switchFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { readRemembered, saveRemembered } from "../Remembered.ts"
import { optionalRemote, remote, serviceUrl, withRemote } from "../Remote.ts"
import { visible } from "../Visible.ts"

const realm = Argument.String("realm").pipe(
  Argument.optional,
  Argument.withDescription("The ID, name or reference of the realm. Default: show the current one")
)

const clear = switchFlag("clear", "Forget the realm")

const looksLikeId = (text: string) => text.startsWith("rl_")

/** Finds a realm by its ID, name or reference. */
const findRealm = Effect.fnUntraced(function* (named: string) {
  const { read } = yield* remote
  if (looksLikeId(named)) return yield* read((sallyport, options) => sallyport.realms.get(named, {}, options))
  const all = yield* read((sallyport, options) => allOf(sallyport.realms.list({ max_results: 1_000 }, options)))
  const [found, ...others] = all.filter(({ name, reference }) => name === named || reference === named)
  if (found !== undefined && others.length === 0) return found
  return yield* new CommandFailed({
    happened: found === undefined ? `No realm is named ${named}.` : `Several realms are named ${named}.`,
    todo: "Give the ID of the realm (sallyport realms list shows all)."
  })
})

const choose = Effect.fnUntraced(function* (named: string, url: string) {
  const { key } = yield* optionalRemote
  if (key === undefined && !looksLikeId(named)) {
    return yield* new WrongUsage({
      happened: `Finding the realm ${named} needs an API key.`,
      todo: "Set SALLYPORT_KEY, use --key-file, or give the ID of the realm."
    })
  }
  // Without a key, the ID is not verified.
  const { id, name } = key === undefined ? { id: named, name: undefined } : yield* findRealm(named)
  const remembered = yield* readRemembered
  yield* saveRemembered({ ...remembered, realms: { ...remembered.realms, [url]: id } })
  const shown = name === undefined ? id : `${visible(name)} (${id})`
  yield* print({ url, realm_id: id }, `Commands for ${url} now use the realm ${shown}.`)
})

const forget = Effect.fnUntraced(function* (url: string) {
  const remembered = yield* readRemembered
  const { [url]: id, ...others } = remembered.realms
  if (id !== undefined) yield* saveRemembered({ ...remembered, realms: others })
  yield* print(
    { url, realm_id: null },
    id === undefined ? `No realm is chosen for ${url}.` : `The realm ${id} is no longer used for ${url}.`
  )
})

/** Remembers the realm for commands without `--realm`. */
export const use = Command.make(
  "use",
  { realm, clear },
  Effect.fnUntraced(function* ({ realm, clear }) {
    const url = yield* serviceUrl
    if (clear && Option.isSome(realm)) {
      return yield* new WrongUsage({
        happened: "A realm and --clear can't be combined.",
        todo: "Use only one of them."
      })
    }
    if (clear) return yield* forget(url)
    if (Option.isSome(realm)) return yield* choose(realm.value, url)
    const id = (yield* readRemembered).realms[url]
    yield* print(
      { url, realm_id: id ?? null },
      id === undefined
        ? `No realm is chosen for ${url}. Choose one with sallyport use <realm>.`
        : `Commands for ${url} use the realm ${id}.`
    )
  })
).pipe(
  Command.withDescription(
    "Remembers a realm, so that commands don't need --realm. Each service URL has its own. --realm and SALLYPORT_REALM take precedence. Commands that list or create API keys and hooks don't use it, because these can also be for all realms."
  ),
  Command.withShortDescription("Remembers the realm for other commands"),
  withRemote,
  Command.withExamples([
    { command: "sallyport use rl_01m7y8xyj4bmw0ek0bz2h2g9tn" },
    { command: "sallyport use Acme", description: "By name or reference" },
    { command: "sallyport use --clear" }
  ])
)
