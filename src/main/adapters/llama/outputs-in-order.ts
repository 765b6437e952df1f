import type { LlamaContext } from 'node-llama-cpp'

/** What of a native context is used to evaluate a batch and to draw from its outputs. */
export interface NativeContext {
  decodeBatch: () => Promise<unknown>
  sampleToken: (...draws: never[]) => Promise<unknown>
}

/**
 * Has the first draw from a batch end before the others begin. llama.cpp puts a batch's outputs into their order when the first of them is read, and
 * several threads that read at once do that several times over: a sequence then gets the token of another one. Later draws of a batch find them in
 * order and go on side by side.
 */
export function readOutputsInOrder(native: NativeContext): void {
  const decodeBatch = native.decodeBatch.bind(native)
  const sampleToken = native.sampleToken.bind(native)
  let first: Promise<unknown> | null = null
  const inOrder: NativeContext = {
    decodeBatch() {
      first = null
      return decodeBatch()
    },
    sampleToken(...draws) {
      if (first === null) return (first = sampleToken(...draws))
      const next = () => sampleToken(...draws)
      return first.then(next, next)
    },
  }
  // Natively they are not writable; properties of the object's own stand before those.
  for (const [name, value] of Object.entries(inOrder)) Object.defineProperty(native, name, { value })
}

/** The native context, which the library keeps to itself. */
export const nativeOf = (context: LlamaContext): NativeContext =>
  (context as unknown as { readonly _ctx: NativeContext })._ctx
