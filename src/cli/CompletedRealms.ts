import type { Completions } from "effect/cli"

/** Takes the place of the realms in a generated script, which can only contain fixed values. */
const PLACEHOLDER = "realms-of-the-service"

/** The type of options and arguments that take a realm. */
export const realmChoice = { _tag: "Choice", values: [PLACEHOLDER] } as const satisfies Completions.FlagType

/** Each line of its output is the ID of a realm, a tab and its name. */
const LIST = "sallyport realms complete 2>/dev/null"

/** If nothing but the name of one realm begins with the word, bash replaces the word by the realm's ID. */
const bashFunction = `_sallyport--realms()
{
  local _word="$1" _id _name _ids=() _names=() _of_names=()
  _word=\${_word//\\\\/}; _word=\${_word//\\"/}; _word=\${_word//\\'/}
  while IFS=$'\\t' read -r _id _name; do
    if [[ "$_id" == "$_word"* ]]; then
      _ids+=("$_id")
    elif [[ "$_name" == "$_word"* ]]; then
      _of_names+=("$_id")
      _names+=("$(printf '%q' "$_name")")
    fi
  done < <(${LIST})
  if [[ \${#_ids[@]} -eq 0 && \${#_of_names[@]} -gt 1 ]]; then
    COMPREPLY=("\${_names[@]}")
  elif [[ \${#_ids[@]} -eq 0 ]]; then
    COMPREPLY=("\${_of_names[@]}")
  else
    COMPREPLY=("\${_ids[@]}")
  fi
}

`

const zshFunction = `_sallyport--realms() {
  local -a realms
  realms=("\${(@f)$(${LIST} | tr '\\t' ':')}")
  _describe 'realm' realms
}

`

/** Makes a generated script ask the service for its realms, where the shell completes one. */
export const withRealms = (script: string, shell: "bash" | "zsh" | "fish"): string => {
  if (shell === "fish") return script.replaceAll(`-a '${PLACEHOLDER}'`, `-a '(${LIST})'`)
  if (shell === "zsh") {
    const [compdef = "", ...rest] = script.split("\n")
    return `${compdef}\n\n${zshFunction}${rest.join("\n")}`.replaceAll(`(${PLACEHOLDER})`, "_sallyport--realms")
  }
  const call = `_sallyport--choices "$cur" "$_comp_word" '${PLACEHOLDER}'`
  return `${bashFunction}${script.replaceAll(call, '_sallyport--realms "$cur"')}`
}
