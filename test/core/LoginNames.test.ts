import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { accountFor, type LoginName, parseIdOrEmail, parseIdOrUsername, parseTypedName } from "#domain/LoginName"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { idOf, repositoriesOn } from "../support/repositories.ts"
import { ownService } from "../support/sallyport.ts"

const WITH = { usernameValidationHuman: "standard" } as const
const WITHOUT = { usernameValidationHuman: "email" } as const

describe("the user named by a login", () => {
  test("is found by ID, by unique email, or by username", () =>
    ownService(async ({ given, sql }) => {
      const realm = await given.realm({ require_unique_emails: false })
      const [ann, bob] = [
        await realm.user({ email: "ann@example.test", username: "ann" }),
        await realm.user({ email: "bob@example.test", username: "BOB@example.test" })
      ]
      const userIdNamed = (name: LoginName, gone: ReadonlyArray<string> = []) =>
        AccountsRepo.use((repo) => repo.findNamed(idOf("realm", realm.id), name)).pipe(
          Effect.map(({ found, passwordsEnabled }) => {
            expect(passwordsEnabled).toBe(true)
            return accountFor(found, ({ user }) => gone.includes(user.id))?.user.id
          }),
          Effect.provide(repositoriesOn(sql)),
          Effect.runPromise
        )

      expect(await userIdNamed(parseIdOrEmail(ann.id))).toBe(ann.id)
      expect(await userIdNamed(parseIdOrEmail(" ANN@example.test"))).toBe(ann.id)
      expect(await userIdNamed(parseIdOrEmail("ann"))).toBeUndefined()
      expect(await userIdNamed(parseIdOrUsername(WITH, bob.id))).toBe(bob.id)
      expect(await userIdNamed(parseIdOrUsername(WITH, "Ann"))).toBe(ann.id)
      expect(await userIdNamed(parseIdOrUsername(WITH, "ann@example.test"))).toBeUndefined()
      expect(await userIdNamed(parseIdOrUsername(WITH, "bob@example.test"))).toBe(bob.id)
      expect(await userIdNamed(parseIdOrUsername(WITHOUT, "ann@example.test"))).toBe(ann.id)
      expect(await userIdNamed(parseIdOrUsername(WITHOUT, "ann"))).toBeUndefined()
      expect(await userIdNamed(parseTypedName(WITH, ann.id))).toBeUndefined()
      expect(await userIdNamed(parseTypedName(WITH, "ann"))).toBe(ann.id)
      expect(await userIdNamed(parseTypedName(WITH, "ann@example.test"))).toBe(ann.id)
      expect(await userIdNamed(parseTypedName(WITH, "bob@example.test"))).toBe(bob.id)
      expect(await userIdNamed(parseTypedName(WITH, "ann@example.test"), [ann.id])).toBeUndefined()
      expect(await userIdNamed(parseTypedName(WITHOUT, "ann@example.test"), [ann.id])).toBeUndefined()
      expect(await userIdNamed(parseTypedName(WITH, "\u0000"))).toBeUndefined()

      await realm.user({ email: "bob@example.test" })
      expect(await userIdNamed(parseIdOrEmail("bob@example.test"))).toBeUndefined()
      expect(await userIdNamed(parseTypedName(WITH, "bob@example.test"))).toBe(bob.id)
      await realm.put(`/v2/users/${bob.id}`, { user: { email: "robert@example.test" } })
      expect(await userIdNamed(parseIdOrUsername(WITH, "bob@example.test"))).toBeUndefined()
    }))
})
