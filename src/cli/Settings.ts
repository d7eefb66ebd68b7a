import { parseJson } from "#domain/ExactJson"
import { nearestName } from "#domain/NearestName"
import { WrongUsage } from "./CommandFailed.ts"

/** A kind of resource with settings: its plural form, the API names of its settings, and an example. */
export interface Settable {
  readonly plural: string
  readonly names: ReadonlyArray<string>
  readonly example: string
}

/** Values that are parsed as JSON: quoted strings, lists, objects, numbers, true, false and null. */
const json = /^(?:["[{].*|-?\d+(?:\.\d+)?|true|false|null)$/s

const valueIn = (setting: string, text: string) => {
  if (!json.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    throw new WrongUsage({
      happened: `--set ${setting}: its value looks like JSON but is invalid.`,
      todo: `Write valid JSON, as in --set 'custom={"plan":"pro"}', or quote the text: --set 'name="{Acme}"'.`
    })
  }
}

/** Parses `setting=value`. The service validates the value. */
const settingIn = ({ plural, names, example }: Settable, text: string) => {
  const at = text.indexOf("=")
  const setting = text.slice(0, Math.max(0, at)).trim()
  if (setting === "") {
    throw new WrongUsage({
      happened: `--set ${text} has no value.`,
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

/** Parses several `setting=value` arguments to a JSON object. Throws `WrongUsage`, including for duplicate settings. */
export const settingsOf = (of: Settable, texts: ReadonlyArray<string>) => {
  const settings = texts.map((text) => settingIn(of, text))
  const duplicate = settings.find(([name], index) => settings.findIndex(([other]) => other === name) < index)
  if (duplicate !== undefined) throw new WrongUsage({ happened: `--set ${duplicate[0]} is given twice.` })
  return Object.fromEntries(settings)
}
