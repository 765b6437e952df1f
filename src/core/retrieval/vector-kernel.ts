/** vector-kernel.wat, assembled. */
const BINARY =
  'AGFzbQEAAAABCQFgBX9/f399AAMCAQAFBgEBAYCABAcRAgZtZW1vcnkCAARkb3RzAAAKrAIBqQIEAX8BfQF/AnsgAUUEQA8LA0D9DAAAAAAAAAAAAAAAAAAAAAAhCP0MAA' +
  'AAAAAAAAAAAAAAAAAAACEJQQAhByAAIAJqIQUDQCAIIAD9AQMAIAf9AAQA/boB/a4BIQggCSAA/QEDCCAH/QAEEP26Af2uASEJIAggAP0BAxAgB/0ABCD9ugH9rgEhCCAJ' +
  'IAD9AQMYIAf9AAQw/boB/a4BIQkgAEEgaiEAIAdBwABqIQcgACAFSQ0ACyAIIAn9rgEhCCAIIAggCP0NCAkKCwwNDg8AAQIDBAUGB/2uASEIIAj9GwAgCP0bAWqyIAAqAg' +
  'CUIASUIQYgAyAGIAAqAgSSOAIAIAMgBiAAKgIEkzgCgEAgAEEQaiEAIANBBGohAyABQQFrIQEgAQ0ACws='

/** What the kernel exports. */
export interface VectorKernel {
  readonly memory: WebAssembly.Memory
  /**
   * Bounds of the cosine of the query at address 0 with `count` rows of codes from `address` on: upper ones to `target`, lower ones 8,192 bytes further.
   * `width`: numbers a row, a multiple of 32; `step`: what 1 of the query's numbers stands for.
   */
  dots(address: number, count: number, width: number, target: number, step: number): void
}

let module: WebAssembly.Module | null = null

/** A kernel with a memory of its own. */
export function vectorKernel(): VectorKernel {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(BINARY), (letter) => letter.charCodeAt(0)))
  return new WebAssembly.Instance(module).exports as unknown as VectorKernel
}
