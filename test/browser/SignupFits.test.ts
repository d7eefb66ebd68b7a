import { describe, expect, test } from "vitest"
import { headed, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { evaluate, type Look, titleOf, visiting } from "./Browser.ts"

const looks: ReadonlyArray<Look & { readonly height: number }> = [
  { width: 390, height: 844, scheme: "light", scripts: false },
  { width: 1280, height: 800, scheme: "dark", scripts: true }
]

const heights = "[document.documentElement.scrollHeight, innerHeight]"

describe("a sign-up in the usual setting", () => {
  test.each(looks)("fits one screen of $width × $height, folded and unfolded", ({ height, ...look }) =>
    withApp(({ pages }) =>
      visiting(async (visitor) => {
        const { page } = visitor
        await page.setViewportSize({ width: look.width, height })
        await page.goto(`${pages}/signup`)
        await headed(page, "Create your account")
        expect(await page.getByLabel("First name").isVisible()).toBe(false)
        expect(await evaluate(visitor, heights), titleOf(look)).toEqual([height, height])
        await page.getByText("Add your name").click()
        await page.getByLabel("First name").waitFor()
        await sound(visitor, "Signup unfolded")
        expect(await evaluate(visitor, heights), titleOf(look)).toEqual([height, height])
      }, look)
    ))
})
