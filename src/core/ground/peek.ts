/** The first characters of a text, and the text from its beginning all the same. */
export async function peek(
  pieces: AsyncIterable<string>,
  characters: number,
): Promise<{ readonly head: string; readonly pieces: AsyncIterable<string>; close(): Promise<void> }> {
  const reader = pieces[Symbol.asyncIterator]()
  let head = ''
  let isEnded = false
  while (head.length < characters && !isEnded) {
    const next = await reader.next()
    if (next.done === true) isEnded = true
    else head += next.value
  }
  const all = async function* (): AsyncGenerator<string> {
    if (head !== '') yield head
    if (!isEnded) yield* { [Symbol.asyncIterator]: () => reader }
  }
  return {
    head: head.slice(0, characters),
    pieces: all(),
    /** Lets go of what the text comes from, where it is not read on. */
    close: async () => void (await reader.return?.()),
  }
}
