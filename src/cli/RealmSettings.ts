import { payload } from "#api/realms/Fields"
import type { RealmInput } from "#client/generated/types/RealmInput"
import { nearestName } from "#domain/NearestName"
import { WrongUsage } from "./CommandFailed.ts"

const names = Object.keys(payload.fields.realm.fields)

/** What is written as JSON rather than as itself: quoted texts, lists, objects, numbers and the three words. */
const json = /^(?:["[{].*|-?\d+(?:\.\d+)?|true|false|null)$/s

const valueIn = (setting: string, text: string) => {
  if (!json.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongUsage({
      happened: `--set ${setting}: its value begins as JSON, and is none.`,
      todo: `Write it as in --set 'custom={"plan":"pro"}', or a text that begins so in quotes: --set 'name="{Acme}"'.`
    })
  }
}

/** Reads `setting=value`. What values a setting takes, the service knows. */
const settingIn = (text: string): readonly [string, RealmInput[keyof RealmInput]] => {
  const at = text.indexOf("=")
  const setting = text.slice(0, Math.max(0, at)).trim()
  if (setting === "") {
    throw new WrongUsage({
      happened: `--set ${text} sets nothing.`,
      todo: "Write --set setting=value, as in --set session_minutes=60."
    })
  }
  if (!names.includes(setting)) {
    const nearest = nearestName(setting, names)
    throw new WrongUsage({
      happened: `Realms have no setting ${setting}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
      todo: `Settings: ${names.join(", ")}.`
    })
  }
  return [setting, valueIn(setting, text.slice(at + 1))]
}

/** The settings that several `setting=value` say. Throws `WrongUsage`, also for one that is named twice. */
export const realmSettingsOf = (texts: ReadonlyArray<string>): RealmInput => {
  const settings = texts.map(settingIn)
  const twice = settings.find(([name], index) => settings.findIndex(([other]) => other === name) < index)
  if (twice !== undefined) throw new WrongUsage({ happened: `--set ${twice[0]} is given twice.` })
  return Object.fromEntries(settings)
}
