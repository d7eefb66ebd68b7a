import { Effect } from "effect"
import { Command } from "effect/cli"
import { errorText, findProvider, sendRequest } from "../login/Provider.ts"
import { deleteLogin, readLogin, TokenFile, tokenFile } from "../login/TokenFile.ts"
import { print, printStatus } from "../Output.ts"

/** Revokes the tokens of `login` and deletes them. */
export const logout = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function* () {
    const file = yield* tokenFile
    const { issuer, client_id, refresh_token, access_token } = yield* readLogin(file)
    // The local tokens are deleted in any case; a failed revocation is reported separately.
    yield* deleteLogin(file)
    const revoked = yield* Effect.gen(function* () {
      const { revocation_endpoint: url } = yield* findProvider(issuer)
      if (url === undefined) return "The issuer doesn't support revoking tokens."
      const answer = yield* sendRequest(url, { form: { token: refresh_token ?? access_token, client_id } })
      return answer.status === 200 ? true : errorText(answer)
    }).pipe(Effect.catch((error) => Effect.succeed(error.message)))
    if (revoked !== true) {
      yield* printStatus(`The tokens could not be revoked and stay valid until they expire: ${revoked}`)
    }
    yield* print({ issuer, file, revoked: revoked === true }, `You are logged out of ${issuer}.`)
  })
).pipe(
  Command.withDescription("Revokes the tokens of sallyport login and deletes their file."),
  Command.withShortDescription("Logs out"),
  Command.withGlobalFlags([TokenFile]),
  Command.withExamples([{ command: "sallyport logout" }])
)
