import { describe, expect, test } from "vitest"
import { cli } from "./Cli.ts"

const seeHelp = (path: string) => `Run ${path} --help for usage.\n`

describe("a command with wrong usage", () => {
  test.each([
    [["realm"], "Unknown command: realm. Did you mean realms?", "sallyport"],
    [["hooks", "test"], "Unknown command: test.", "sallyport hooks"],
    [["hooks", "lst"], "Unknown command: lst. Did you mean list?", "sallyport hooks"],
    [["realms", "list", "--jsn"], "Unknown option: --jsn. Did you mean --json?", "sallyport realms list"],
    [["keys", "list", "--rul", "x"], "Unknown option: --rul. Did you mean --url?", "sallyport keys list"],
    [["keys", "delete"], "The argument <key_id> is missing.", "sallyport keys delete"],
    [["keys", "create", "ci"], "The option --level is missing.", "sallyport keys create"],
    [["keys", "list", "--jason"], "Unknown option: --jason. Did you mean --json?", "sallyport keys list"],
    [["keys", "create"], "The argument <name> is missing.\nThe option --level is missing.", "sallyport keys create"],
    [
      ["hooks", "replay"],
      "The argument <hook_id> is missing.\nThe option --since is missing.",
      "sallyport hooks replay"
    ],
    [["hooks", "replay", "hk_1", "--type", "user."], "The option --since is missing.", "sallyport hooks replay"],
    [["hooks", "replay", "--hook", "hk_1"], "The option --since is missing.", "sallyport hooks replay"],
    [["keys", "list", "more"], "Too many arguments: more.", "sallyport keys list"],
    [
      ["keys", "create", "ci", "--level", "root"],
      "--level can't be root. Expected read, write, admin_realm or admin_all_realms.",
      "sallyport keys create"
    ],
    [
      ["keys", "create", "ci", "--level", "read", "--days", "0"],
      "--days can't be 0. Expected a whole number from 1 to 36500.",
      "sallyport keys create"
    ],
    [["serve", "--port", "80"], "Unknown option: --port.", "sallyport serve"],
    [["completions", "tcsh"], "<shell> can't be tcsh. Expected bash, zsh or fish.", "sallyport completions"]
  ])("exits with 2 and explains the error and where to find help: %j", async (words, happened, path) => {
    expect(await cli(words)).toEqual({ code: 2, out: "", err: `Error: ${happened}\n${seeHelp(path)}` })
  })

  test("rejects an API key in an option, where everyone on the machine could read the key", async () => {
    expect(await cli(["keys", "list", "--key", "sk_secret"])).toEqual({
      code: 2,
      out: "",
      err: `Error: Keys can't be passed as options, because every user of this machine can see them. Set SALLYPORT_KEY, or use --key-file.\n${seeHelp("sallyport keys list")}`
    })
  })

  test("is reported as JSON with --json", async () => {
    const { code, out, err } = await cli(["keys", "delete", "--json"])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(JSON.parse(err)).toEqual({
      error: {
        happened: "The argument <key_id> is missing.",
        todo: "Run sallyport keys delete --help for usage."
      }
    })
  })
})

describe("a command that calls a service", () => {
  const list = (environment: Readonly<Record<string, string>>, ...options: ReadonlyArray<string>) =>
    cli(["keys", "list", ...options], { environment })

  test("fails without a key", async () => {
    const { code, err } = await list({ SALLYPORT_URL: "http://localhost:3000" })
    expect(code).toBe(2)
    expect(err).toMatch(/^Error: This command needs an API key\.\nSet SALLYPORT_KEY, or use --key-file\./)
  })

  test("fails if the key file is missing or empty", async () => {
    const missing = await list({}, "--key-file", "/nowhere/key")
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("no such file or directory") })
    const empty = await list({ SALLYPORT_KEY_FILE: "/dev/null" })
    expect(empty).toMatchObject({ code: 2, err: "Error: The file /dev/null contains no key.\n" })
  })

  test("fails with an invalid URL", async () => {
    const { code, err } = await list({ SALLYPORT_KEY: "sk_1" }, "--url", "localhost:3000")
    expect(code).toBe(2)
    expect(err).toContain("localhost:3000")
    expect(err).toContain("Set SALLYPORT_URL or --url")
  })
})
