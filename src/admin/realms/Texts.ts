import { catalogue } from "../texts/Language.tsx"
import { realmTextsEn } from "./TextsEn.ts"
import { realmTextsEs } from "./TextsEs.ts"

export const realmTexts = catalogue({ en: realmTextsEn, es: realmTextsEs })
