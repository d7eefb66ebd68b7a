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
      const userIdNamed = (name: LoginName, gone: ReadonlyArray<string> = []) =>
        AccountsRepo.use((repo) => repo.findNamed(idOf("realm", realm.id), name)).pipe(
          Effect.map(({ found, passwordsEnabled }) => {
            expect(passwordsEnabled).toBe(true)
            return accountNamed(found, ({ user }) => gone.includes(user.id))?.user.id
          }),
          Effect.provide(repositoriesOn(sql)),
          Effect.runPromise
        )

      expect(await userIdNamed(idOrEmail(ann.id))).toBe(ann.id)
      expect(await userIdNamed(idOrEmail(" ANN@example.test"))).toBe(ann.id)
      expect(await userIdNamed(idOrEmail("ann"))).toBeUndefined()
      expect(await userIdNamed(idOrUsername(WITH, bob.id))).toBe(bob.id)
      expect(await userIdNamed(idOrUsername(WITH, "Ann"))).toBe(ann.id)
      expect(await userIdNamed(idOrUsername(WITH, "ann@example.test"))).toBeUndefined()
      expect(await userIdNamed(idOrUsername(WITH, "bob@example.test"))).toBe(bob.id)
      expect(await userIdNamed(idOrUsername(WITHOUT, "ann@example.test"))).toBe(ann.id)
      expect(await userIdNamed(idOrUsername(WITHOUT, "ann"))).toBeUndefined()
      expect(await userIdNamed(typedName(WITH, ann.id))).toBeUndefined()
      expect(await userIdNamed(typedName(WITH, "ann"))).toBe(ann.id)
      expect(await userIdNamed(typedName(WITH, "ann@example.test"))).toBe(ann.id)
      expect(await userIdNamed(typedName(WITH, "bob@example.test"))).toBe(bob.id)
      expect(await userIdNamed(typedName(WITH, "ann@example.test"), [ann.id])).toBeUndefined()
      expect(await userIdNamed(typedName(WITHOUT, "ann@example.test"), [ann.id])).toBeUndefined()
      expect(await userIdNamed(typedName(WITH, "\u0000"))).toBeUndefined()

      await realm.user({ email: "bob@example.test" })
      expect(await userIdNamed(idOrEmail("bob@example.test"))).toBeUndefined()
      expect(await userIdNamed(typedName(WITH, "bob@example.test"))).toBe(bob.id)
      await realm.put(`/v2/users/${bob.id}`, { user: { email: "robert@example.test" } })
      expect(await userIdNamed(idOrUsername(WITH, "bob@example.test"))).toBeUndefined()
    }))
})
