import { parseJson } from "#domain/ExactJson"
import { nearestName } from "#domain/NearestName"
import { WrongUsage } from "./CommandFailed.ts"

/** What has settings, as commands call several of them, with the names of its settings in the API and an example. */
export interface Settable {
  readonly plural: string
  readonly names: ReadonlyArray<string>
  readonly example: string
}

/** What is written as JSON rather than as itself: quoted texts, lists, objects, numbers and the three words. */
const json = /^(?:["[{].*|-?\d+(?:\.\d+)?|true|false|null)$/s

const valueIn = (setting: string, text: string) => {
  if (!json.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    throw new WrongUsage({
      happened: `--set ${setting}: its value begins as JSON, and is none.`,
      todo: `Write it as in --set 'custom={"plan":"pro"}', or a text that begins so in quotes: --set 'name="{Acme}"'.`
    })
  }
}

/** Reads `setting=value`. What values a setting takes, the service knows. */
const settingIn = ({ plural, names, example }: Settable, text: string) => {
  const at = text.indexOf("=")
  const setting = text.slice(0, Math.max(0, at)).trim()
  if (setting === "") {
    throw new WrongUsage({
      happened: `--set ${text} sets nothing.`,
      todo: `Write --set setting=value, as in --set ${example}.`
    })
  }
  if (!names.includes(setting)) {
    const nearest = nearestName(setting, names)
    throw new WrongUsage({
      happened: `${plural} have no setting ${setting}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
      todo: `Settings: ${names.join(", ")}.`
    })
  }
  return [setting, valueIn(setting, text.slice(at + 1))] as const
}

/** The settings that several `setting=value` say, as JSON. Throws `WrongUsage`, also for one that is named twice. */
export const settingsOf = (of: Settable, texts: ReadonlyArray<string>) => {
  const settings = texts.map((text) => settingIn(of, text))
  const twice = settings.find(([name], index) => settings.findIndex(([other]) => other === name) < index)
  if (twice !== undefined) throw new WrongUsage({ happened: `--set ${twice[0]} is given twice.` })
  return Object.fromEntries(settings)
}
