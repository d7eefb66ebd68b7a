import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { accountNamed, idOrEmail, idOrUsername, type LoginName, typedName } from "#domain/LoginName"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { idOf, repositoriesOn } from "../support/repositories.ts"
import { ownService } from "../support/sallyport.ts"

const WITH = { usernameValidationHuman: "standard" } as const
const WITHOUT = { usernameValidationHuman: "email" } as const

describe("the user named by a login", () => {
  test("is found by id, by unique email, or else by username", () =>
    ownService(async ({ given, sql }) => {
      const realm = await given.realm({ require_unique_emails: false })
      const [ann, bob] = [
        await realm.user({ email: "ann@example.test", username: "ann" }),
        await realm.user({ email: "bob@example.test", username: "BOB@example.test" })
      ]
      const whom = (name: LoginName, gone: ReadonlyArray<string> = []) =>
        AccountsRepo.use((repo) => repo.findNamed(idOf("realm", realm.id), name)).pipe(
          Effect.map(({ found, passwordsEnabled }) => {
            expect(passwordsEnabled).toBe(true)
            return accountNamed(found, ({ user }) => gone.includes(user.id))?.user.id
          }),
          Effect.provide(repositoriesOn(sql)),
          Effect.runPromise
        )

      expect(await whom(idOrEmail(ann.id))).toBe(ann.id)
      expect(await whom(idOrEmail(" ANN@example.test"))).toBe(ann.id)
      expect(await whom(idOrEmail("ann"))).toBeUndefined()
      expect(await whom(idOrUsername(WITH, bob.id))).toBe(bob.id)
      expect(await whom(idOrUsername(WITH, "Ann"))).toBe(ann.id)
      expect(await whom(idOrUsername(WITH, "ann@example.test"))).toBeUndefined()
      expect(await whom(idOrUsername(WITH, "bob@example.test"))).toBe(bob.id)
      expect(await whom(idOrUsername(WITHOUT, "ann@example.test"))).toBe(ann.id)
      expect(await whom(idOrUsername(WITHOUT, "ann"))).toBeUndefined()
      expect(await whom(typedName(WITH, ann.id))).toBeUndefined()
      expect(await whom(typedName(WITH, "ann"))).toBe(ann.id)
      expect(await whom(typedName(WITH, "ann@example.test"))).toBe(ann.id)
      expect(await whom(typedName(WITH, "bob@example.test"))).toBe(bob.id)
      expect(await whom(typedName(WITH, "ann@example.test"), [ann.id])).toBeUndefined()
      expect(await whom(typedName(WITHOUT, "ann@example.test"), [ann.id])).toBeUndefined()
      expect(await whom(typedName(WITH, "\u0000"))).toBeUndefined()

      await realm.user({ email: "bob@example.test" })
      expect(await whom(idOrEmail("bob@example.test"))).toBeUndefined()
      expect(await whom(typedName(WITH, "bob@example.test"))).toBe(bob.id)
      await realm.put(`/v2/users/${bob.id}`, { user: { email: "robert@example.test" } })
      expect(await whom(idOrUsername(WITH, "bob@example.test"))).toBeUndefined()
    }))
})
