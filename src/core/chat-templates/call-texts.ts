/** A call of a tool as it stands in a prompt. */
export interface PlacedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Writes the calls of one turn as their model's makers do. */
export type CallWriter = (calls: readonly PlacedCall[]) => string

const asPython = ({ name, arguments: input }: PlacedCall): string =>
  `${name}(${Object.entries(input)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`

/** Forms of families whose templates tell of tools and leave it to the one who asks to write what was called, by a sign in the template. */
const WRITERS: readonly (readonly [sign: string, write: CallWriter])[] = [
  // LFM2.
  ['List of tools: ', (calls) => `<|tool_call_start|>[${calls.map(asPython).join(', ')}]<|tool_call_end|>`],
  // Granite 3.
  ['<|tool_call|>', (calls) => `<|tool_call|>${JSON.stringify(calls)}`],
]

/** How calls are written for a template that does not do so itself; null where that is not known. */
export const writerFor = (source: string): CallWriter | null =>
  WRITERS.find(([sign]) => source.includes(sign))?.[1] ?? null
