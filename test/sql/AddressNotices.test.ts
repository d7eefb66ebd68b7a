import { Effect } from "effect"
import { expect, test } from "vitest"
import { ADDRESS_NOTICE } from "#domain/AppHook"
import { isId } from "#domain/Ids"
import { readMigrations } from "#sql/MigrationFiles"
import { defaultHooks } from "../support/hooks.ts"
import { ownService } from "../support/sallyport.ts"

test("SEC-90: realms from before get the notice to the old address as their mail to the new one is set up", () =>
  ownService(
    async ({ given, sql, advance, postbox }) => {
      const [kept, without] = [await given.realm(), await given.realm()]
      for (const realm of [kept, without]) {
        await realm.delete(`/v2/hooks/${(await defaultHooks(realm))[ADDRESS_NOTICE]}`)
      }
      await without.delete(`/v2/hooks/${(await defaultHooks(without))["user.email.updating"]}`)
      const files = await Effect.runPromise(readMigrations())
      const statements = files.find(({ name }) => name === "address_notices")?.statements() ?? []
      const inserts = statements.filter((statement) => statement.includes("insert into app_hooks"))
      expect(inserts.length).toBe(1)
      for (const insert of inserts) await Effect.runPromise(sql.unsafe(insert))

      const id = (await defaultHooks(kept))[ADDRESS_NOTICE] ?? ""
      expect(isId("hook", id)).toBe(true)
      expect((await kept.get(`/v2/hooks/${id}`)).body).toMatchObject({ state: "active", delay: 0, email_to: null })
      expect((await defaultHooks(without))[ADDRESS_NOTICE]).toBe(undefined)
      const user = await kept.user({ email_verification: "verified" })
      await kept.put(`/v2/users/${user.id}`, { user: { email_pending: "next@example.test" } })
      await advance("1 second")
      expect(postbox.to(user.string("email")).length).toBe(1)
    },
    { alone: true }
  ))
