import { REUSE_STEP } from './sequence-pool'

/** A cancel is felt within 300 ms: a piece of the prompt that is being read takes this long at most, about. */
const PIECE_MS = 120
/** A CPU is as fast with short pieces; a GPU wants long ones. */
const CPU_PIECE = 128
const GPU_PIECE = 512
/** Shorter ones would make reading a prompt slower. */
const LEAST_PIECE = 32

/**
 * How many tokens of a prompt are read between two looks at whether it is still wanted: as many as a large model on a slow machine reads in a
 * moment. Always a multiple of the reuse step, so it changes nothing in what comes out.
 */
export class PromptPiece {
  readonly #most: number
  #msPerToken: number | null = null

  constructor(onGpu: boolean) {
    this.#most = onGpu ? GPU_PIECE : CPU_PIECE
  }

  /** The next piece's length. The first is short, since nothing is known yet. */
  get tokens(): number {
    if (this.#msPerToken === null) return Math.min(this.#most, 2 * LEAST_PIECE)
    const fitting = PIECE_MS / this.#msPerToken
    const whole = Math.floor(fitting / REUSE_STEP) * REUSE_STEP
    return Math.min(this.#most, Math.max(LEAST_PIECE, whole))
  }

  /** Notes what a piece took; the newest counts most, since a machine may get busy. */
  took(tokens: number, ms: number): void {
    const now = ms / Math.max(1, tokens)
    this.#msPerToken = this.#msPerToken === null ? now : (this.#msPerToken + now) / 2
  }
}
