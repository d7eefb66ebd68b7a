import { Effect } from "effect"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { InvitationFlow, type InvitedLogin, type SeenInvitation } from "#core/invitations/InvitationFlow"
import { TokenNotFound } from "#domain/Login"
import { Rejected } from "#domain/Rejected"
import { askedOfInvited, besidesProblems } from "#domain/Signup"
import { presence } from "#domain/Text"
import type { Door } from "../../Door.ts"
import { type FormWord, type Refusal, refusalOf, refused } from "../../Errors.ts"
import { type Filled, passwordIn } from "../../Form.ts"
import type { Visit } from "../../PageContext.ts"
import { acceptedPage, invitationPage, type Way } from "./AcceptInvitationView.ts"

const wayOf = (asked: string, { known }: SeenInvitation): Way =>
  asked === "login" || (known && asked !== "signup") ? { way: "login" } : { way: "signup" }

const isTaken = (word: FormWord): word is Rejected =>
  word._tag === "Rejected" && word.problems.some(({ field, code }) => field === "email" && code === "taken")

/** `…/invitation`: accepts it, with a new account or with one that is there. */
export const invitation = Effect.gen(function* () {
  const landing = yield* InvitationFlow
  const apps = yield* ConnectedApps

  /** The invitation of a token. Who began to sign up on an app's host finishes there, by what that app asks for. */
  const look = Effect.fnUntraced(function* ({ app }: Visit, token: string) {
    const seen = yield* landing.look(token)
    const elsewhere = app === undefined && seen.invitation.invitationType === "preverify"
    return elsewhere && (yield* apps.oldest) !== undefined ? yield* new TokenNotFound() : seen
  })

  /** The form once more; where the invitation has gone meanwhile, nothing is left to be filled in. */
  const again = (visit: Visit, token: string, way: Way, refusal: Refusal) =>
    Effect.map(look(visit, token), (seen) =>
      refused(refusal, (errors) => invitationPage(visit, token, seen, way, errors))
    )

  const complaint = (text: string, field: string | null = null): Refusal => ({ status: 422, errors: [{ field, text }] })

  const signUp = Effect.fn("Invitation.signUp")(
    function* (visit: Visit, token: string, form: Filled) {
      const seen = yield* look(visit, token)
      const asked = askedOfInvited(visit.app, seen.invitation)
      const [firstName, lastName, orgName] = [form("first_name"), form("last_name"), form("org_name")]
      const problems = besidesProblems({ firstName, lastName, orgName }, asked)
      if (problems.length > 0) return yield* new Rejected({ problems })
      yield* landing.signUp({
        token,
        password: yield* passwordIn(form),
        firstName: presence(firstName),
        lastName: presence(lastName),
        founds: asked.org === "none" ? undefined : { name: presence(orgName) }
      })
      return acceptedPage(visit, seen, seen.invitation.email)
    },
    (page, visit, token, form) =>
      Effect.catchTag(page, ["Rejected", "HashingBusy"], (word) =>
        isTaken(word)
          ? again(visit, token, { way: "login" }, complaint(visit.texts.invitation.taken))
          : again(
              visit,
              token,
              { way: "signup", firstName: form("first_name"), lastName: form("last_name"), orgName: form("org_name") },
              refusalOf(visit, word)
            )
      )
  )

  const followed = (visit: Visit, token: string, seen: SeenInvitation, login: InvitedLogin) =>
    login._tag === "Accepted"
      ? acceptedPage(visit, seen)
      : invitationPage(visit, token, seen, { way: "code", login: login.token })

  const logIn = Effect.fn("Invitation.logIn")(
    function* (visit: Visit, token: string, form: Filled) {
      const seen = yield* look(visit, token)
      if (form("name").trim() === "") {
        const { nameMissing } = visit.texts.form
        return yield* again(visit, token, { way: "login", name: "" }, complaint(nameMissing, "name"))
      }
      return followed(visit, token, seen, yield* landing.logIn(token, form("name"), form("password")))
    },
    (page, visit, token, form) =>
      Effect.catchTag(page, ["Rejected", "HashingBusy", "WrongPassword", "Blocked"], (word) =>
        again(visit, token, { way: "login", name: form("name") }, refusalOf(visit, word))
      )
  )

  const complete = Effect.fn("Invitation.complete")(
    function* (visit: Visit, token: string, form: Filled) {
      const seen = yield* look(visit, token)
      return followed(visit, token, seen, yield* landing.complete(token, form("login"), form("code").trim()))
    },
    (page, visit, token, form) =>
      page.pipe(
        Effect.catchTag(["Rejected", "WrongCode", "WrongPassword", "Blocked"], (word) =>
          again(visit, token, { way: "code", login: form("login") }, refusalOf(visit, word))
        ),
        // The login's token, unless the invitation's: then nothing is left.
        Effect.catchTag("TokenNotFound", () =>
          again(visit, token, { way: "login" }, complaint(visit.texts.invitation.lapsed))
        )
      )
  )

  const ways = new Map([
    ["signup", signUp],
    ["login", logIn],
    ["code", complete]
  ])

  const door: Door = {
    show: (visit, { token }, query) =>
      Effect.map(look(visit, token), (seen) => invitationPage(visit, token, seen, wayOf(query("way"), seen))),
    act: (visit, { token }, form) => (ways.get(form("way")) ?? signUp)(visit, token, form)
  }
  return door
})
