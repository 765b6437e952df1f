/** Choices in the order in which they are written, from each value's words. */
export const optionsOf = <V extends string>(
  words: Readonly<Record<V, string>>,
): readonly { readonly value: V; readonly label: string }[] =>
  (Object.entries(words) as [V, string][]).map(([value, label]) => ({ value, label }))
