interface ChoiceProps<V extends string> {
  readonly label: string
  readonly options: Readonly<Record<V, string>>
  readonly values: ReadonlyArray<V>
  readonly value: V
  readonly onChange: (value: V) => void
}

/** A segmented control: a few options side by side, one of them selected. */
export const Choice = <V extends string>({ label, options, values, value, onChange }: ChoiceProps<V>) => (
  <fieldset className="segments" aria-label={label}>
    {values.map((one) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
        {options[one]}
      </button>
    ))}
  </fieldset>
)
