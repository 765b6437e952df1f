const ANSWER_FIELD =
  /^(?:(?:true|gold|golden|expected|correct|reference)_?(?:answer|label|solution)s?|ground_?truth(?:_?(?:answer|label|solution)s?)?)$/i

/** Takes recorded right answers (`true_answer` and the like) out, however deep they lie: an answer must not reach an agent. */
export function withoutAnswers(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => !ANSWER_FIELD.test(name.replace(/[\s-]/g, '_')))
      .map(([name, value]) => [name, clean(value)]),
  )
}

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean)
  return typeof value === 'object' && value !== null ? withoutAnswers({ ...value }) : value
}
