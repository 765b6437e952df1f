/** vector-kernel.wat, assembled. */
const BINARY =
  'AGFzbQEAAAABGwNgBn9/f39/fQBgBX9/f39/AGAFf39/f38BfwMEAwABAgUGAQEBgIAEBx8EBm1lbW9yeQIABGRvdHMAAARzdW1zAAEEcGljawACCuwGA7kCBAJ/AX0BfwJ7IAJFBEAP' +
  'CwNAIAAgASgCACADQRBqbGohBv0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAAAAAAAAAAIQtBACEJIAYgA2ohBwNAIAogBv0BAwAgCf0ABAD9ugH9rgEhCiALIAb9AQMIIAn9' +
  'AAQQ/boB/a4BIQsgCiAG/QEDECAJ/QAEIP26Af2uASEKIAsgBv0BAxggCf0ABDD9ugH9rgEhCyAGQSBqIQYgCUHAAGohCSAGIAdJDQALIAogC/2uASEKIAogCiAK/Q0ICQoLDA0ODwAB' +
  'AgMEBQYH/a4BIQogCv0bACAK/RsBarIgBioCAJQgBZQhCCAEIAggBioCBJI4AgAgBCAIIAYqAgSTOAKAQCABQQRqIQEgBEEEaiEEIAJBAWshAiACDQALC8EDAgJ/BHsgAUUEQA8LA0D9' +
  'DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEKIAMhBiAAIAJBBnRqIQUDQCAA/QAEACEHIAb9AAQAIAf9DA8PDw8PDw8PDw8PDw8PDw/9Tv0OIAb9AAQQIAdBBP1t' +
  '/Q79biEIIAD9AAQQIQcgCCAG/QAEICAH/QwPDw8PDw8PDw8PDw8PDw8P/U79DiAG/QAEMCAHQQT9bf0O/W79biEIIAD9AAQgIQcgCCAG/QAEQCAH/QwPDw8PDw8PDw8PDw8PDw8P/U79' +
  'DiAG/QAEUCAHQQT9bf0O/W79biEIIAD9AAQwIQcgCCAG/QAEYCAH/QwPDw8PDw8PDw8PDw8PDw8P/U79DiAG/QAEcCAHQQT9bf0O/W79biEIIAkgCP0M/wD/AP8A/wD/AP8A/wD/AP1O' +
  '/Y4BIQkgCiAIQQj9jQH9jgEhCiAAQcAAaiEAIAZBgAFqIQYgACAFSQ0ACyAEIAkgCv0NAAEQEQIDEhMEBRQVBgcWF/0LBAAgBCAJIAr9DQgJGBkKCxobDA0cHQ4PHh/9CwQQIARBIGoh' +
  'BCABQQFrIQEgAQ0ACwtsAgN/AXsgBCEHA0AgACAFQQF0av0ABAAhCCAIIAL9EP02IAggA/0Q/TT9Tv2EASEGIAYEQANAIAcgBSAGaGo2AgAgB0EEaiEHIAYgBkEBa3EiBg0ACwsgBUEI' +
  'aiIFIAFJDQALIAcgBGtBAnYL'

/** What the kernel exports. */
export interface VectorKernel {
  readonly memory: WebAssembly.Memory
  /**
   * Bounds of the cosine of the query at address 0 with `count` rows of codes, whose numbers are in `list`, 4 bytes each: upper ones to
   * `target`, lower ones 8,192 bytes further. `width`: numbers a row, a multiple of 32; `step`: what 1 of the query's numbers stands for.
   */
  dots(address: number, list: number, count: number, width: number, target: number, step: number): void
  /**
   * Sums of table entries, 2 bytes a row, to `target`, for `blocks` of 16 rows of signs from `address` on, which have `groups` of 32 numbers. `tables`: an
   * entry, at most 31, for each value of four signs.
   */
  sums(address: number, blocks: number, groups: number, tables: number, target: number): void
  /** Writes to `target` which of `count` sums at `address` lie from `low` to `high`, 4 bytes each; answers how many. */
  pick(address: number, count: number, low: number, high: number, target: number): number
}

let module: WebAssembly.Module | null = null

/** A kernel with a memory of its own. */
export function vectorKernel(): VectorKernel {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(BINARY), (letter) => letter.charCodeAt(0)))
  return new WebAssembly.Instance(module).exports as unknown as VectorKernel
}
