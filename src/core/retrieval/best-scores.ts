/** The k highest of the scores that are put in. */
export class BestScores {
  private readonly heap: Float64Array
  private count = 0
  /** The k-th highest; -Infinity while there are fewer. */
  floor = -Infinity

  /** `k` at least 1. */
  constructor(k: number) {
    this.heap = new Float64Array(k)
  }

  get isFull(): boolean {
    return this.count === this.heap.length
  }

  put(score: number): void {
    const { heap } = this
    if (!this.isFull) this.rise(score)
    else if (score > this.floor) this.sink(score)
    else return
    if (this.isFull) this.floor = heap[0] as number
  }

  private rise(score: number): void {
    const { heap } = this
    let at = this.count++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((heap[parent] as number) <= score) break
      heap[at] = heap[parent] as number
      at = parent
    }
    heap[at] = score
  }

  private sink(score: number): void {
    const { heap } = this
    const size = heap.length
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++
      if ((heap[child] as number) >= score) break
      heap[at] = heap[child] as number
      at = child
    }
    heap[at] = score
  }
}
