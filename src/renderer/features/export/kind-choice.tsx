/** What can be left out of a bundle, with how many there are. */
export function KindChoice(props: {
  /** Kinds by their names, with what is in the preview. */
  kinds: readonly {
    readonly id: string
    readonly title: string
    readonly count: number | null
    /** Left out unless it is ticked. */
    readonly ownFiles?: boolean | undefined
  }[]
  /** Null: everything but parts of own files. */
  chosen: readonly string[] | null
  onChange(choices: readonly string[] | null): void
}) {
  const { kinds, chosen } = props
  const usual = kinds.filter(({ ownFiles }) => ownFiles !== true).map(({ id }) => id)
  const has = (id: string): boolean => (chosen ?? usual).includes(id)
  const toggle = (id: string) => {
    const next = kinds.map((kind) => kind.id).filter((one) => (one === id ? !has(one) : has(one)))
    props.onChange(next.join() === usual.join() ? null : next)
  }
  const references = kinds.filter(({ id, ownFiles }) => ownFiles === true && has(id))
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">What is in it</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm sm:grid-cols-3">
        {kinds.map(({ id, title, count }) => (
          <label key={id} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={has(id)}
              onChange={() => toggle(id)}
              className="accent-(--accent)"
            />
            <span>
              {title}
              {count === null ? null : <span className="text-muted"> {count}</span>}
            </span>
          </label>
        ))}
      </div>
      <p className="mt-1 text-xs text-muted">
        {usual.every(has)
          ? 'Everything, with its history: brought into an empty memory it makes an equal one.'
          : 'In part: items without their history.'}{' '}
        {references.length === 0
          ? 'Your own files stay here.'
          : `With parts of your own files: ${references.map(({ title, count }) => `${count ?? ''} ${title.toLowerCase()}`.trim()).join(', ')}.`}
      </p>
    </fieldset>
  )
}
